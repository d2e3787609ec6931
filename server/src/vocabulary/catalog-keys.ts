/** The keys of the catalog, `skills.config.yaml` (skill-format.md, section 6). */
import {
  any,
  count,
  either,
  type KeyTable,
  listOf,
  mapOf,
  named,
  oneOf,
  recordOf,
  type Shape,
  schema,
  text,
} from './shape.ts';

/** The graph nodes that fire interrupts (skill-format.md, section 5). */
export const INTERRUPT_NODES: Readonly<Record<string, string>> = {
  validate_input: 'Before anything runs: the input is checked.',
  stage: 'At the start of a stage.',
  plan: 'The model decides what to do next.',
  call_tools: 'Tools are called.',
  check_exit: 'The exit condition is checked.',
};

const tool: Shape = mapOf(
  { name: 'name', shape: text, docs: 'What skills call the tool.', section: '6', example: 'read_page' },
  { name: 'title', shape: text, docs: "The tool's display name.", section: '6' },
  { name: 'description', shape: text, docs: 'What the tool does; completion shows it.', section: '6' },
  {
    name: 'input_schema',
    aliases: ['inputSchema', 'input'],
    shape: schema,
    docs: "The tool's parameters, in shorthand or JSON Schema.",
    section: '6',
    rule: 'invalid-schema',
    example: '{slug: string}',
  },
  {
    name: 'output_schema',
    aliases: ['outputSchema', 'output'],
    shape: schema,
    docs: 'What the tool gives back.',
    section: '6',
    rule: 'invalid-schema',
  },
  {
    name: 'operation',
    shape: oneOf({
      TRANSFORM: 'Works on what it is given.',
      READ: 'Reads from outside.',
      WRITE: 'Changes something outside.',
    }),
    docs: 'What the tool does to the world; `before_write` fires for `WRITE`.',
    section: '6',
  },
  {
    name: 'scope',
    aliases: ['scopes'],
    shape: either(named('scope'), listOf(named('scope'))),
    docs: 'The scope that a caller must hold to use the tool.',
    section: '6',
    example: 'read:pages',
  },
  { name: 'effects', shape: listOf(named('effect')), docs: 'What a call may do.', section: '6' },
  { name: 'annotations', shape: any, docs: "The server's own hints about the tool.", section: '6' },
  { name: 'server', shape: text, docs: 'The server that the tool comes from.', section: '6' },
  {
    name: 'from',
    shape: text,
    docs: 'A file that names MCP servers; their tools stand in the snapshot.',
    section: '6',
    example: '.vscode/mcp.json',
  },
);

const profile: Shape = mapOf(
  { name: 'name', shape: text, mandatory: true, docs: 'What the preview calls this caller.', section: '6' },
  { name: 'role', shape: named('role'), docs: 'The role whose scopes the caller holds.', section: '6' },
  { name: 'scopes', shape: listOf(named('scope')), docs: 'The scopes that the caller holds.', section: '6' },
  {
    name: 'tools',
    shape: listOf(named('tool')),
    docs: 'The tools that the caller holds; all where absent.',
    section: '6',
  },
);

const interrupt: Shape = mapOf(
  {
    name: 'name',
    shape: text,
    mandatory: true,
    docs: 'What skills call the interrupt.',
    section: '6',
    example: 'on_canon_conflict',
  },
  { name: 'node', shape: oneOf(INTERRUPT_NODES), mandatory: true, docs: 'The graph node that fires it.', section: '6' },
  { name: 'description', shape: text, docs: 'When it fires.', section: '6' },
);

export const catalogKeys: KeyTable = [
  {
    name: 'tools',
    shape: listOf(tool),
    docs: 'What callers can hold: tool descriptors, or `from` a file that names MCP servers.',
    section: '6',
  },
  {
    name: 'scopes',
    shape: listOf({
      kind: 'string',
      pattern: /^[^\s:]+:[^\s:]+(:[^\s:]+)*$/,
      expected: '`verb:resource`, such as `read:pages`',
    }),
    docs: 'Every scope there is.',
    section: '6',
  },
  {
    name: 'roles',
    shape: recordOf(listOf(named('scope'))),
    docs: 'Roles, each with the scopes that it holds.',
    section: '6',
  },
  { name: 'profiles', shape: listOf(profile), docs: 'Callers for the preview.', section: '6' },
  {
    name: 'interrupts',
    shape: listOf(interrupt),
    docs: 'Interrupts beside those that the composer knows.',
    section: '6',
  },
  {
    name: 'effects',
    shape: listOf(text),
    docs: 'Effects beside `Query`, `Mutate`, `Network` and `Fail`.',
    section: '6',
  },
  { name: 'models', shape: listOf(text), docs: 'Model families, for template variants.', section: '6' },
  {
    name: 'account_skills',
    shape: text,
    docs: "A folder with the account's skills, which the workspace's hide by name.",
    section: '6',
    example: '~/.skills',
  },
  {
    name: 'composer',
    shape: mapOf(
      { name: 'examples', shape: count, docs: 'How many examples a prompt takes at most. Default: 3.', section: '6' },
      {
        name: 'context_tokens',
        shape: { kind: 'number', integer: true, min: 1 },
        docs: 'The context budget in tokens.',
        section: '6',
      },
      {
        name: 'max_tool_calls',
        shape: { kind: 'number', integer: true, min: 1 },
        docs: 'The bound on tool calls.',
        section: '6',
      },
    ),
    docs: 'Limits of the composer.',
    section: '6',
  },
  {
    name: 'rules',
    shape: recordOf(
      oneOf({
        off: 'Never reported.',
        hint: 'A faint mark.',
        info: 'A note.',
        warning: 'A warning.',
        error: 'An error.',
      }),
    ),
    docs: 'Severities by rule, for everyone who works on these skills.',
    section: '6',
  },
];
