/** Random compositions of all patterns: sequence, parallel, condition, speculation, nested, retries, interrupts, budgets. */
import fc from 'fast-check';
import type { Stub } from '../../server/src/protocol.ts';
import { type Files, skill } from '../core/composer/shapes.ts';
import type { Situation } from './oracle.ts';

export interface RandomComposition extends Situation {
  readonly files: Files;
}

type Draft =
  | { readonly kind: 'service'; readonly fails: number; readonly value: number; readonly retry: number }
  | {
      readonly kind: 'model';
      readonly tools: number;
      readonly stages: readonly number[];
      readonly budget: number;
      readonly interrupts: readonly string[];
    }
  | { readonly kind: 'composite'; readonly list: readonly Placed[]; readonly retry: number };

type Placed =
  | { readonly kind: 'step'; readonly skill: Draft; readonly above: number | undefined; readonly onOutput: boolean }
  | { readonly kind: 'parallel'; readonly list: readonly Placed[] }
  | {
      readonly kind: 'when';
      readonly above: number;
      readonly list: readonly Placed[];
      readonly other: readonly Placed[];
    }
  | {
      readonly kind: 'speculate';
      readonly keeps: readonly (number | undefined)[];
      readonly skills: readonly Draft[];
      readonly value: number;
    };

const TOOLS = ['read_page', 'search_pages', 'write_candidate'];
const INTERRUPTS = [
  'before_stage',
  'before_tool_call',
  'before_write',
  'on_tool_error',
  'before_exit',
  'on_budget_exhausted',
];

const service = fc.record({
  kind: fc.constant('service' as const),
  fails: fc.constantFrom(0, 0, 0, 1, 2, 9),
  value: fc.integer({ min: 1, max: 3 }),
  retry: fc.constantFrom(0, 0, 2, 3),
});

const model = fc.record({
  kind: fc.constant('model' as const),
  tools: fc.nat(3),
  stages: fc.array(fc.nat(3), { maxLength: 3 }),
  budget: fc.constantFrom(0, 0, 0, 1, 3),
  interrupts: fc.subarray(INTERRUPTS, { maxLength: 3 }),
});

const { list } = fc.letrec<{ draft: Draft; placed: Placed; list: readonly Placed[] }>((tie) => ({
  list: fc.array(tie('placed'), { minLength: 1, maxLength: 3, size: 'small' }),
  draft: fc.oneof(
    { maxDepth: 2, depthSize: 'xsmall' },
    service,
    model,
    fc.record({ kind: fc.constant('composite' as const), list: tie('list'), retry: fc.constantFrom(0, 0, 2) }),
  ),
  placed: fc.oneof(
    { maxDepth: 2, depthSize: 'xsmall' },
    fc.record({
      kind: fc.constant('step' as const),
      skill: tie('draft'),
      above: fc.option(fc.nat(4), { nil: undefined }),
      onOutput: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('parallel' as const), list: tie('list') }),
    fc.record({
      kind: fc.constant('when' as const),
      above: fc.nat(4),
      list: tie('list'),
      other: fc.option(tie('list'), { nil: [] }),
    }),
    fc.record({
      kind: fc.constant('speculate' as const),
      keeps: fc.array(fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }), { minLength: 1, maxLength: 3 }),
      skills: fc.array(fc.oneof(service, model), { minLength: 3, maxLength: 3 }),
      value: fc.integer({ min: 1, max: 3 }),
    }),
  ),
}));

/** Writes the files of a draft. Every skill has its own name: `s0`, `s1` and so on. */
class Writer {
  readonly files: Record<string, string> = {};
  readonly stubs: Stub[] = [];
  #count = 0;

  /** Writes a skill and returns its name and its level. */
  write(draft: Draft): { readonly name: string; readonly level: number } {
    const name = `s${this.#count++}`;
    if (draft.kind === 'service') this.#service(name, draft);
    else if (draft.kind === 'model') this.#model(name, draft);
    else return { name, level: this.composite(name, draft.list) };
    return { name, level: 1 };
  }

  #service(name: string, { fails, value }: Extract<Draft, { kind: 'service' }>): void {
    const head = `name: ${name}\ndescription: One of many.\nversion: 1.0.0\nlevel: 1\n`;
    this.files[`${name}.skill.yaml`] =
      `${head}input_schema: {}\noutput_schema: {${name}: integer}\nbacking_service: {endpoint: "x:1"}\n`;
    const failing = fails === 0 ? {} : { fails: 'BUSY', ...(fails < 9 && { times: fails }) };
    this.stubs.push({ name, returns: { [name]: value }, ...failing });
  }

  #model(name: string, { tools, stages, budget, interrupts }: Extract<Draft, { kind: 'model' }>): void {
    const own = TOOLS.slice(0, tools);
    const refers = (stage: number): string => {
      const tool = own[stage];
      return tool === undefined ? 'Think' : `Use #tool:${tool}`;
    };
    const body = stages.map((stage, at) => `${at + 1}. **Part ${at}**: ${refers(stage)}.`).join('\n');
    const head = [
      'input_schema: {}',
      own.length > 0 ? `tools: [${own.join(', ')}]` : '',
      interrupts.length > 0 ? `interrupts: [${interrupts.join(', ')}]` : '',
      budget > 0 ? `exit: {on: tool_budget, max_tool_calls: ${budget}}` : '',
    ];
    this.files[`${name}.skill.md`] = skill(
      name,
      head.filter((line) => line !== '').join('\n'),
      stages.length > 0 ? `## Approach\n\n${body}\n` : '',
    );
  }

  /** Writes a composite and returns its level. */
  composite(name: string, list: readonly Placed[]): number {
    const parts: string[] = [];
    let level = 1;
    const part = (draft: Draft): string => {
      const one = this.write(draft);
      parts.push(one.name);
      level = Math.max(level, one.level);
      return one.name;
    };
    const retryOf = (draft: Draft): string =>
      'retry' in draft && draft.retry > 0 ? `, retry: {max_attempts: ${draft.retry}, backoff: fixed}` : '';
    const listed = (steps: readonly Placed[], known: string | undefined): string => {
      let last = known;
      const texts = steps.map((step) => {
        const text = written(step, last);
        // A later step may read the output of a service that always runs.
        if (step.kind === 'step' && step.skill.kind === 'service' && !text.includes('condition')) last = parts.at(-1);
        return text;
      });
      return `[${texts.join(', ')}]`;
    };
    const written = (step: Placed, known: string | undefined): string => {
      if (step.kind === 'parallel') return `{parallel: ${listed(step.list, known)}}`;
      if (step.kind === 'when') {
        const arm = listed(step.list, known);
        const other = step.other.length > 0 ? `, else: ${listed(step.other, known)}` : '';
        return `{when: [{condition: $input.n > ${step.above}, steps: ${arm}}]${other}}`;
      }
      if (step.kind === 'speculate') {
        const names = step.keeps.map((_, at) =>
          part(step.skills[at] ?? { kind: 'model', tools: 0, stages: [], budget: 0, interrupts: [] }),
        );
        const until = part({ kind: 'service', fails: 0, value: step.value, retry: 0 });
        const steps = names.map((own, at) => {
          const keep = step.keeps[at];
          return `{step: ${own}${keep === undefined ? '' : `, keep_when: $${until}.output.${until} == ${keep}`}}`;
        });
        return `{speculate: [${steps.join(', ')}], until: ${until}}`;
      }
      const own = part(step.skill);
      const source = step.onOutput && known !== undefined ? `$${known}.output.${known}` : '$input.n';
      const condition = step.above === undefined ? '' : `, condition: ${source} > ${step.above}`;
      return `{step: ${own}${condition}${retryOf(step.skill)}}`;
    };
    const execution = listed(list, undefined);
    const head = `name: ${name}\ndescription: One of many.\nversion: 1.0.0\nlevel: ${level + 1}\n`;
    this.files[`${name}.skill.yaml`] =
      `${head}input_schema: {n: integer}\noutput_schema: {}\ncomposes: [${parts.join(', ')}]\nexecution: ${execution}\n`;
    return level + 1;
  }
}

/** The maximum number of skills of a composition. More find no further faults. */
const MOST_SKILLS = 14;

/** A composition in `whole.skill.yaml` with stubs of its services and of the tools that fail. */
export const composition: fc.Arbitrary<RandomComposition> = fc
  .record({
    list,
    n: fc.nat(5),
    declines: fc.constantFrom([], [], ['before_stage'], ['before_tool_call'], ['before_write'], ['before_exit']),
    failing: fc.subarray(TOOLS, { maxLength: 1 }),
    times: fc.constantFrom(1, 2, 99),
  })
  .map(({ list: drafts, n, declines, failing, times }) => {
    const writer = new Writer();
    const level = writer.composite('whole', drafts);
    const tools = failing.map((name): Stub => ({ name, fails: 'GONE', times }));
    return { level, files: writer.files, stubs: [...writer.stubs, ...tools], n, declines };
  })
  .filter(({ level, files }) => level <= 3 && Object.keys(files).length <= MOST_SKILLS);
