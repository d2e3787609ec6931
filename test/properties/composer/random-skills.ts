/** Random workspaces: a catalog, a caller and five skills that compose one another in any way. */
import fc from 'fast-check';
import type { ComposeRequest } from '../../../server/src/composer/composition.ts';
import { type Files, requestFor } from '../../core/composer/shapes.ts';

export const TOOLS = ['t0', 't1', 't2', 't3', 't4', 'create_skill'];
const SCOPES = ['x:a', 'x:b', 'x:c'];
/** `s0` to `s4`; `s9` does not exist. Any skill may compose any other, and itself. */
export const SKILLS = ['s0', 's1', 's2', 's3', 's4'];

interface RandomSkill {
  readonly tools: readonly { readonly name: string; readonly optional: boolean }[];
  readonly composes: readonly string[];
  readonly body: string;
  readonly more: readonly string[];
}

export interface RandomWorkspace {
  readonly catalog: readonly {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly operation: string;
  }[];
  readonly caller: { readonly scopes: readonly string[]; readonly tools: readonly string[] | undefined };
  readonly skills: readonly RandomSkill[];
  readonly source: 'explicit' | 'authoring';
}

const aTool = fc.constantFrom(...TOOLS, 'unknown');

const reference = fc.oneof(
  aTool.map((name) => `#tool:${name}`),
  fc.constantFrom(...SKILLS).map((name) => `#skill:${name}`),
  fc.constant('think'),
);

const body = fc.oneof(
  fc.constant(''),
  fc
    .array(reference, { minLength: 1, maxLength: 3 })
    .map((items) => `## Approach\n\n${items.map((item, at) => `${at + 1}. Do ${item}.`).join('\n')}\n`),
  fc
    .array(aTool, { maxLength: 3 })
    .map((tools) => `## Approach\n\`\`\`yaml artifact\ntools: [${tools.join(', ')}]\n\`\`\`\n\nDo it.\n`),
);

/** The steps of an `execution` in flow style, with existing entries and a missing entry. */
const execution = (steps: readonly string[]): fc.Arbitrary<string> =>
  fc.letrec<{ step: string; list: string }>((tie) => ({
    list: fc.array(tie('step'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    step: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...steps, 'nobody').map((name) => `{step: ${name}}`),
      fc.constantFrom(...steps).map((name) => `{step: ${name}, condition: $input.n > 1}`),
      tie('list').map((list) => `{parallel: ${list}}`),
      fc.tuple(tie('list'), fc.constantFrom(...steps)).map(([list, until]) => `{speculate: ${list}, until: ${until}}`),
      fc
        .tuple(tie('list'), tie('list'), fc.boolean())
        .map(
          ([one, other, hasElse]) =>
            `{when: [{condition: $input.n > 2, steps: ${one}}]${hasElse ? `, else: ${other}` : ''}}`,
        ),
    ),
  })).list;

const skill: fc.Arbitrary<RandomSkill> = fc
  .array(fc.constantFrom(...SKILLS, 's9'), { maxLength: 3 })
  .chain((composes) =>
    fc.record({
      tools: fc.uniqueArray(fc.record({ name: aTool, optional: fc.boolean() }), {
        selector: ({ name }) => name,
        maxLength: 4,
      }),
      composes: fc.constant([...new Set(composes)]),
      body,
      more: fc
        .tuple(
          fc.constantFrom('', 'planner_delegates_shape: true', 'backing_service: {endpoint: "x:1"}'),
          fc.constantFrom('', 'requires_tools: false', 'exit: {on: tool_budget, max_tool_calls: 3}'),
          fc.constantFrom('', 'interrupts: [before_stage, before_write, before_exit, on_budget_exhausted]'),
          composes.length === 0
            ? fc.constant('')
            : fc.option(execution(composes), { nil: '' }).map((list) => (list === '' ? '' : `execution: ${list}`)),
        )
        .map((lines) => lines.filter((line) => line !== '')),
    }),
  );

export const workspace: fc.Arbitrary<RandomWorkspace> = fc.record({
  catalog: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...TOOLS),
      scopes: fc.subarray(SCOPES, { maxLength: 1 }),
      operation: fc.constantFrom('READ', 'WRITE'),
    }),
    { selector: ({ name }) => name, minLength: 3 },
  ),
  caller: fc.record({
    scopes: fc.subarray(SCOPES),
    tools: fc.option(fc.subarray(TOOLS, { minLength: 2 }), { nil: undefined }),
  }),
  skills: fc.array(skill, { minLength: SKILLS.length, maxLength: SKILLS.length }),
  source: fc.constantFrom('explicit' as const, 'authoring' as const),
});

export function filesOf({ catalog, caller, skills }: RandomWorkspace): Files {
  const tools = catalog.map(
    ({ name, scopes, operation }) => `  - {name: ${name}, operation: ${operation}, scope: [${scopes.join(', ')}]}`,
  );
  const held = caller.tools ? `, tools: [${caller.tools.join(', ')}]` : '';
  const config = `tools:\n${tools.join('\n')}\nprofiles:\n  - {name: someone, scopes: [${caller.scopes.join(', ')}]${held}}\n`;
  const texts = skills.map(({ tools: surface, composes, body: rest, more }, at) => {
    const entries = surface.map(({ name, optional }) => `{name: ${name}, optional: ${optional}}`);
    const lines = [`name: s${at}`, 'description: d', 'version: 1.0.0', 'input_schema: {n: integer}'];
    lines.push(`tools: [${entries.join(', ')}]`, `composes: [${composes.join(', ')}]`, ...more);
    return [`s${at}.skill.md`, `---\n${lines.join('\n')}\n---\n\nDo it.\n\n${rest}`] as const;
  });
  return Object.fromEntries([['skills.config.yaml', config], ...texts]);
}

/** The last of the skills, invoked by the caller. */
export const request = (random: RandomWorkspace): ComposeRequest =>
  requestFor(filesOf(random), 's4.skill.md', { profile: 'someone', source: random.source, parameters: { n: 1 } });
