/**
 * The frontmatter keys of `SKILL.md` (skill-format.md, section 9), as data: one table for each client whose public documents
 * define keys beyond the open standard's (those are in `agent-skill-keys.ts`). A table lists only the keys that its client adds, or that it
 * reads differently from the standard. A client that only reads the standard's keys has no table.
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

export interface ClientKeyTable {
  readonly client: string;
  /** The public document that defines the keys, and its address. */
  readonly source: string;
  /** ISO date of the copy that the table was checked against; where the copy has none, the day it was read. */
  readonly checked: string;
  readonly keys: readonly ClientKey[];
}

/** What the standard recommends for the body; advice, not limits. */
export const standardAdvice = { bodyLines: 500, bodyTokens: 5000, referenceDepth: 1 } as const;

const claudeCode: ClientKeyTable = {
  client: 'Claude Code',
  source: 'Extend Claude with skills, https://code.claude.com/docs/en/skills#frontmatter-reference',
  checked: '2026-08-22',
  keys: [
    {
      name: 'allowed-tools',
      type: 'string-or-list',
      description: 'Tools that run without asking during the turn; separated by spaces or commas, or a list.',
    },
    {
      name: 'when_to_use',
      type: 'string',
      description: 'More on when to invoke the skill, such as trigger phrases; appended to the description.',
    },
    {
      name: 'argument-hint',
      type: 'string',
      description: 'A hint at the expected arguments, shown during completion.',
    },
    {
      name: 'arguments',
      type: 'string-or-list',
      description: 'Names of positional arguments that the body uses as `$name`; separated by spaces, or a list.',
    },
    {
      name: 'disable-model-invocation',
      type: 'boolean',
      description: 'Keeps the model from loading the skill by itself; only the user invokes it.',
    },
    {
      name: 'user-invocable',
      type: 'boolean',
      description: 'False hides the skill from the `/` menu, so that only the model invokes it.',
    },
    {
      name: 'disallowed-tools',
      type: 'string-or-list',
      description: 'Tools taken away while the skill is active; separated by spaces or commas, or a list.',
    },
    {
      name: 'model',
      type: 'string',
      description: 'The model for the rest of the turn; `inherit` keeps the active one.',
    },
    {
      name: 'effort',
      type: 'string',
      description: 'The effort level while the skill is active.',
      values: ['low', 'medium', 'high', 'xhigh', 'max'],
    },
    {
      name: 'context',
      type: 'string',
      description: 'Runs the skill in a forked subagent.',
      values: ['fork'],
    },
    {
      name: 'agent',
      type: 'string',
      description: 'The type of subagent that runs the skill when `context` is `fork`.',
    },
    {
      name: 'background',
      type: 'boolean',
      description: 'False waits for the result of the forked subagent within the same turn.',
    },
    {
      name: 'hooks',
      type: 'map',
      description: 'Hooks that are registered when the skill is invoked.',
    },
    {
      name: 'paths',
      type: 'string-or-list',
      description: 'Globs of the files that load the skill by itself; separated by commas, or a list.',
    },
    {
      name: 'shell',
      type: 'string',
      description: 'The shell that runs the commands embedded in the body.',
      values: ['bash', 'powershell'],
    },
  ],
};

const vsCode: ClientKeyTable = {
  client: 'VS Code',
  source: 'Use Agent Skills in VS Code, https://code.visualstudio.com/docs/agent-customization/agent-skills',
  checked: '2026-05-28',
  keys: [
    {
      name: 'argument-hint',
      type: 'string',
      description: 'A hint shown in the chat input when the skill is invoked as a slash command.',
    },
    {
      name: 'user-invocable',
      type: 'boolean',
      description: 'False hides the skill from the `/` menu; the agent still loads it.',
    },
    {
      name: 'disable-model-invocation',
      type: 'boolean',
      description: 'True leaves the skill to the slash command; the agent does not load it by itself.',
    },
    {
      name: 'context',
      type: 'string',
      description: 'Runs the skill in a subagent of its own (experimental).',
      values: ['fork'],
    },
  ],
};

const copilotCli: ClientKeyTable = {
  client: 'GitHub Copilot CLI',
  source:
    'Copilot CLI command reference, https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference#skills-reference',
  checked: '2026-11-21',
  keys: [
    {
      name: 'argument-hint',
      type: 'string',
      description: 'A hint at the expected arguments, shown in the skill picker.',
    },
    {
      name: 'allowed-tools',
      type: 'string-or-list',
      description: 'Tools allowed while the skill is active: separated by commas, or a list; `*` is all of them.',
    },
    {
      name: 'user-invocable',
      type: 'boolean',
      description: 'Whether users can invoke the skill by its slash command.',
    },
    {
      name: 'disable-model-invocation',
      type: 'boolean',
      description: 'Keeps the agent from invoking the skill by itself.',
    },
  ],
};

const cursor: ClientKeyTable = {
  client: 'Cursor',
  source: 'Agent Skills, https://cursor.com/docs/context/skills',
  checked: '2026-11-21',
  keys: [
    {
      name: 'paths',
      type: 'string-or-list',
      description: 'Globs of the files that the skill is for; separated by commas, or a list.',
    },
    {
      name: 'globs',
      type: 'string-or-list',
      description: 'The older spelling of `paths`, still accepted.',
    },
    {
      name: 'disable-model-invocation',
      type: 'boolean',
      description: 'True includes the skill only when it is invoked by its slash command.',
    },
  ],
};

const openClaw: ClientKeyTable = {
  client: 'OpenClaw',
  source: 'Skills, https://github.com/openclaw/openclaw/blob/main/docs/tools/skills.md#skillmd-format',
  checked: '2026-11-21',
  keys: [
    {
      name: 'homepage',
      type: 'string',
      description: 'The address shown as the website of the skill.',
    },
    {
      name: 'user-invocable',
      type: 'boolean',
      description: 'Offers the skill as a slash command.',
    },
    {
      name: 'disable-model-invocation',
      type: 'boolean',
      description: 'Keeps the instructions out of the normal prompt; the slash command remains.',
    },
    {
      name: 'command-dispatch',
      type: 'string',
      description: 'Sends the slash command straight to a tool, past the model.',
      values: ['tool'],
    },
    {
      name: 'command-tool',
      type: 'string',
      description: 'The tool that the slash command is sent to.',
    },
    {
      name: 'command-arg-mode',
      type: 'string',
      description: 'How the arguments of the slash command reach the tool.',
      values: ['raw'],
    },
    {
      name: 'metadata',
      type: 'map',
      description: 'Further properties; the nested map `openclaw` says what the skill requires and how to install it.',
    },
  ],
};

export const clientKeyTables: readonly ClientKeyTable[] = [claudeCode, vsCode, copilotCli, cursor, openClaw];
