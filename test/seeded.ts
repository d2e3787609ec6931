/**
 * The same random cases at every run, so that a failure is the change's and never the day's; `npm run fuzz` tries others,
 * and twenty times as many.
 */
import fc from 'fast-check';

if (process.env.SKILL_COMPOSER_RUNS === undefined) fc.configureGlobal({ seed: 7 });
