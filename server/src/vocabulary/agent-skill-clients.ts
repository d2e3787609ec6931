/**
 * The frontmatter keys of `SKILL.md` (docs/format.md, section 9) as each client's public documents define them: only keys
 * beyond the open standard (`agent-skill-keys.ts`), and those that the client reads differently.
 */

export type ClientKeyType = 'string' | 'boolean' | 'list' | 'map' | 'string-or-list' | 'string-or-map';

export interface ClientKey {
  readonly name: string;
  readonly type: ClientKeyType;
  /** One sentence on what the key does. */
  readonly description: string;
  /** Every value the document allows, where it lists them. */
  readonly values?: readonly string[];
}

interface ClientKeyTable {
  readonly client: string;
  /** The public document that defines the keys, and its address. */
  readonly source: string;
  /** ISO date of the copy that the table was checked against; where the copy has none, the day it was read. */
  readonly checked: string;
  readonly keys: readonly ClientKey[];
}

const key = (name: string, type: ClientKeyType, description: string, values?: readonly string[]): ClientKey => ({
  name,
  type,
  description,
  ...(values && { values }),
});

/** What the standard recommends for the body; advice, not limits. */
export const standardAdvice = { bodyLines: 500, bodyTokens: 5000, referenceDepth: 1 } as const;

const claudeCode: ClientKeyTable = {
  client: 'Claude Code',
  source: 'Extend Claude with skills, https://code.claude.com/docs/en/skills#frontmatter-reference',
  checked: '2026-08-22',
  keys: [
    key(
      'allowed-tools',
      'string-or-list',
      'Tools that run without asking during the turn; separated by spaces or commas, or a list.',
    ),
    key(
      'when_to_use',
      'string',
      'More on when to invoke the skill, such as trigger phrases; appended to the description.',
    ),
    key('argument-hint', 'string', 'A hint at the expected arguments, shown during completion.'),
    key(
      'arguments',
      'string-or-list',
      'Names of positional arguments that the body uses as `$name`; separated by spaces, or a list.',
    ),
    key(
      'disable-model-invocation',
      'boolean',
      'Keeps the model from loading the skill by itself; only the user invokes it.',
    ),
    key('user-invocable', 'boolean', 'False hides the skill from the `/` menu, so that only the model invokes it.'),
    key(
      'disallowed-tools',
      'string-or-list',
      'Tools taken away while the skill is active; separated by spaces or commas, or a list.',
    ),
    key('model', 'string', 'The model for the rest of the turn; `inherit` keeps the active one.'),
    key('effort', 'string', 'The effort level while the skill is active.', ['low', 'medium', 'high', 'xhigh', 'max']),
    key('context', 'string', 'Runs the skill in a forked subagent.', ['fork']),
    key('agent', 'string', 'The type of subagent that runs the skill when `context` is `fork`.'),
    key('background', 'boolean', 'False waits for the result of the forked subagent within the same turn.'),
    key('hooks', 'map', 'Hooks that are registered when the skill is invoked.'),
    key('paths', 'string-or-list', 'Globs of the files that load the skill by itself; separated by commas, or a list.'),
    key('shell', 'string', 'The shell that runs the commands embedded in the body.', ['bash', 'powershell']),
  ],
};

const vsCode: ClientKeyTable = {
  client: 'VS Code',
  source: 'Use Agent Skills in VS Code, https://code.visualstudio.com/docs/agent-customization/agent-skills',
  checked: '2026-05-28',
  keys: [
    key('argument-hint', 'string', 'A hint shown in the chat input when the skill is invoked as a slash command.'),
    key('user-invocable', 'boolean', 'False hides the skill from the `/` menu; the agent still loads it.'),
    key(
      'disable-model-invocation',
      'boolean',
      'True leaves the skill to the slash command; the agent does not load it by itself.',
    ),
    key('context', 'string', 'Runs the skill in a subagent of its own (experimental).', ['fork']),
  ],
};

const copilotCli: ClientKeyTable = {
  client: 'GitHub Copilot CLI',
  source:
    'Copilot CLI command reference, https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference#skills-reference',
  checked: '2026-11-21',
  keys: [
    key('argument-hint', 'string', 'A hint at the expected arguments, shown in the skill picker.'),
    key(
      'allowed-tools',
      'string-or-list',
      'Tools allowed while the skill is active: separated by commas, or a list; `*` is all of them.',
    ),
    key('user-invocable', 'boolean', 'Whether users can invoke the skill by its slash command.'),
    key('disable-model-invocation', 'boolean', 'Keeps the agent from invoking the skill by itself.'),
  ],
};

const cursor: ClientKeyTable = {
  client: 'Cursor',
  source: 'Agent Skills, https://cursor.com/docs/context/skills',
  checked: '2026-11-21',
  keys: [
    key('paths', 'string-or-list', 'Globs of the files that the skill is for; separated by commas, or a list.'),
    key('globs', 'string-or-list', 'The older spelling of `paths`, still accepted.'),
    key('disable-model-invocation', 'boolean', 'True includes the skill only when it is invoked by its slash command.'),
  ],
};

const openClaw: ClientKeyTable = {
  client: 'OpenClaw',
  source: 'Skills, https://github.com/openclaw/openclaw/blob/main/docs/tools/skills.md#skillmd-format',
  checked: '2026-11-21',
  keys: [
    key('homepage', 'string', 'The address shown as the website of the skill.'),
    key('user-invocable', 'boolean', 'Offers the skill as a slash command.'),
    key(
      'disable-model-invocation',
      'boolean',
      'Keeps the instructions out of the normal prompt; the slash command remains.',
    ),
    key('command-dispatch', 'string', 'Sends the slash command straight to a tool, past the model.', ['tool']),
    key('command-tool', 'string', 'The tool that the slash command is sent to.'),
    key('command-arg-mode', 'string', 'How the arguments of the slash command reach the tool.', ['raw']),
    key(
      'metadata',
      'map',
      'Further properties; the nested map `openclaw` says what the skill requires and how to install it.',
    ),
  ],
};

export const clientKeyTables: readonly ClientKeyTable[] = [claudeCode, vsCode, copilotCli, cursor, openClaw];
