/** Random executions that can run, as trees from which a file and the expected run are derived. */
import fc from 'fast-check';
import type { Files } from '../../core/composer/shapes.ts';

/** A tree of steps, which are named `s0`, `s1` and so on in the order of the file. */
export type Tree =
  | { readonly kind: 'step'; readonly name: string; readonly above: number | undefined }
  | { readonly kind: 'parallel'; readonly steps: readonly Tree[] }
  | { readonly kind: 'when'; readonly arms: readonly Arm[]; readonly other: readonly Tree[] }
  | { readonly kind: 'speculate'; readonly steps: readonly Speculated[]; readonly until: string };

/** An arm that runs if the input is above a number, and if no earlier arm runs. */
interface Arm {
  readonly above: number;
  readonly steps: readonly Tree[];
}

interface Speculated {
  readonly name: string;
  /** The output value for which the step is kept; every step returns 1. If undefined, the step is always kept. */
  readonly keep: 1 | 2 | undefined;
}

type Nameless = (next: () => string) => Tree;

const { list } = fc.letrec<{ node: Nameless; list: readonly Nameless[] }>((tie) => ({
  list: fc.array(tie('node'), { minLength: 1, maxLength: 3, size: 'small' }),
  node: fc.oneof(
    { maxDepth: 2, depthSize: 'xsmall' },
    fc.option(fc.nat(4), { nil: undefined }).map(
      (above): Nameless =>
        (next) => ({ kind: 'step', name: next(), above }),
    ),
    tie('list').map(
      (steps): Nameless =>
        (next) => ({ kind: 'parallel', steps: steps.map((one) => one(next)) }),
    ),
    fc
      .tuple(
        fc.array(fc.tuple(fc.nat(4), fc.option(tie('list'), { nil: [] })), { minLength: 1, maxLength: 3 }),
        fc.option(tie('list'), { nil: [] }),
      )
      .filter(([arms, other]) => [...arms.map(([, steps]) => steps), other].some(({ length }) => length > 0))
      .map(
        ([arms, other]): Nameless =>
          (next) => ({
            kind: 'when',
            arms: arms.map(([above, steps]) => ({ above, steps: steps.map((one) => one(next)) })),
            other: other.map((one) => one(next)),
          }),
      ),
    fc.array(fc.constantFrom(1 as const, 2 as const, undefined), { minLength: 1, maxLength: 3 }).map(
      (keeps): Nameless =>
        (next) => ({ kind: 'speculate', steps: keeps.map((keep) => ({ name: next(), keep })), until: next() }),
    ),
  ),
}));

/** The maximum number of steps: more steps find no further errors. */
const MOST_STEPS = 9;

export const execution: fc.Arbitrary<readonly Tree[]> = list
  .map((nodes) => {
    let count = 0;
    return nodes.map((node) => node(() => `s${count++}`));
  })
  .filter((trees) => namesIn(trees).length <= MOST_STEPS);

export function namesIn(trees: readonly Tree[]): readonly string[] {
  return trees.flatMap((tree) => {
    if (tree.kind === 'step') return [tree.name];
    if (tree.kind === 'parallel') return namesIn(tree.steps);
    if (tree.kind === 'when') return namesIn([...tree.arms.flatMap(({ steps }) => steps), ...tree.other]);
    return [...tree.steps.map(({ name }) => name), tree.until];
  });
}

const written = (trees: readonly Tree[]): string => `[${trees.map(writtenOne).join(', ')}]`;

function writtenOne(tree: Tree): string {
  if (tree.kind === 'step') {
    return `{step: ${tree.name}${tree.above === undefined ? '' : `, condition: $input.n > ${tree.above}`}}`;
  }
  if (tree.kind === 'parallel') return `{parallel: ${written(tree.steps)}}`;
  if (tree.kind === 'when') {
    const other = tree.other.length > 0 ? `, else: ${written(tree.other)}` : '';
    const arms = tree.arms.map(({ above, steps }) => `{condition: $input.n > ${above}, steps: ${written(steps)}}`);
    return `{when: [${arms.join(', ')}]${other}}`;
  }
  const steps = tree.steps.map(({ name, keep }) => {
    return `{step: ${name}${keep === undefined ? '' : `, keep_when: $${tree.until}.output.${tree.until} == ${keep}`}}`;
  });
  return `{speculate: [${steps.join(', ')}], until: ${tree.until}}`;
}

/** The duration of a step in milliseconds. No two sums of durations are equal by chance. */
export const latencyOf = (name: string): number => 2 ** Number(name.slice(1)) + 100;

const head = (name: string, level: number): string =>
  `name: ${name}\ndescription: One of many.\nversion: 1.0.0\nlevel: ${level}\n`;

/** A skill with these inputs and outputs. */
export const skillWith = (name: string, takes: readonly string[], gives: readonly string[]): string => {
  const fields = (names: readonly string[]) => `{${names.map((one) => `${one}: integer`).join(', ')}}`;
  return `${head(name, 1)}input_schema: ${fields(takes)}\noutput_schema: ${fields(gives)}\nbacking_service: {endpoint: "x:1"}\npolicy: {budget: {p95_ms: ${latencyOf(name)}}}\n`;
};

/** The composite is in `whole.skill.yaml`. */
export function filesOf(trees: readonly Tree[]): Files {
  const names = namesIn(trees);
  const whole = `${head('whole', 2)}input_schema: {n: integer}\noutput_schema: {}\ncomposes: [${names.join(', ')}]\nexecution: ${written(trees)}\n`;
  const parts = names.map((name) => [`${name}.skill.yaml`, skillWith(name, [], [name])] as const);
  return Object.fromEntries([['whole.skill.yaml', whole], ...parts]);
}

/** The expected result of a run: the steps with an output, and the cancelled steps. */
export interface Outcome {
  readonly ran: readonly string[];
  readonly cancelled: readonly string[];
}

export function outcomeOf(trees: readonly Tree[], n: number): Outcome {
  const all = trees.map((tree): Outcome => {
    if (tree.kind === 'step') {
      return { ran: tree.above === undefined || n > tree.above ? [tree.name] : [], cancelled: [] };
    }
    if (tree.kind === 'parallel') return outcomeOf(tree.steps, n);
    if (tree.kind === 'when') return outcomeOf(tree.arms.find(({ above }) => n > above)?.steps ?? tree.other, n);
    const cancelled = tree.steps.flatMap(({ name, keep }) => (keep === 2 ? [name] : []));
    const kept = tree.steps.flatMap(({ name, keep }) => (keep === 2 ? [] : [name]));
    return { ran: [...kept, tree.until], cancelled };
  });
  return { ran: all.flatMap(({ ran }) => ran), cancelled: all.flatMap(({ cancelled }) => cancelled) };
}
