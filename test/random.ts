/**
 * The random cases of all laws: how many are tried, and from which seed. Every run of `npm test` tries the same twelfth
 * of the cases, so that a failure is caused by the change. `npm run test:all` tries all cases, `npm run fuzz` twenty
 * times as many cases from another seed. `test/run.mjs` sets and prints the number and the seed.
 */
import fc from 'fast-check';

/** The factor for the number of cases of every law. */
export const SCALE = Number(process.env.SKILL_COMPOSER_CASES ?? 1 / 10);

/** A number of cases, scaled. */
export const scaled = (count: number): number => Math.max(1, Math.round(count * SCALE));

/** Parameters of `fc.assert`: `count` cases, scaled. */
export const cases = (count: number): { readonly numRuns: number } => ({ numRuns: scaled(count) });

/** Returns the distance between the tried cases of a sequence, for a law that tries every `step`th case. */
export const stride = (step: number): number => Math.max(1, Math.round(step / (SCALE < 1 ? SCALE / 2 : SCALE)));

// `cases(100)` applies to laws that do not set their own number of cases.
fc.configureGlobal({ seed: Number(process.env.SKILL_COMPOSER_SEED ?? 7), ...cases(100) });
