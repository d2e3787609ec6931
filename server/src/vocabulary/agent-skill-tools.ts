// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/**
 * The tools that clients document by the names that `allowed-tools` takes (docs/format.md, section 9;
 * https://code.claude.com/docs/en/tools-reference, read on 2026-11-23).
 */

export interface ClientTool {
  readonly client: string;
  readonly name: string;
  /** One sentence on what the tool does. */
  readonly docs: string;
  /** What stands between its brackets, with tab stops; the tool alone allows everything. */
  readonly pattern?: string;
}

const claudeCode = (name: string, docs: string, pattern?: string): ClientTool => ({
  client: 'Claude Code',
  name,
  docs,
  ...(pattern !== undefined && { pattern }),
});

export const clientTools: readonly ClientTool[] = [
  claudeCode('Read', 'Reads files.'),
  claudeCode('Write', 'Creates files, and writes them anew.'),
  claudeCode('Edit', 'Changes places in files.'),
  claudeCode('Glob', 'Finds files by patterns.'),
  claudeCode('Grep', 'Searches the contents of files.'),
  claudeCode('Bash', 'Runs commands in a shell.', '${1:git}:*'),
  claudeCode('WebFetch', 'Fetches an address.', 'domain:${1:example.com}'),
  claudeCode('WebSearch', 'Searches the web.'),
  claudeCode('Agent', 'Starts an agent with a context of its own; `Task` in older versions.'),
  claudeCode('Task', 'The older name of `Agent`.'),
  claudeCode('Skill', 'Invokes a skill.', '${1:name}'),
  claudeCode('AskUserQuestion', 'Asks the user to choose.'),
  claudeCode('NotebookEdit', 'Changes cells of notebooks.'),
  claudeCode('TaskCreate', 'Adds a task to the list of tasks.'),
  claudeCode('TaskGet', 'Reads a task of the list.'),
  claudeCode('TaskList', 'Reads the list of tasks.'),
  claudeCode('TaskUpdate', 'Changes a task of the list.'),
  claudeCode('TodoWrite', 'Writes the list of tasks, in older versions.'),
];
