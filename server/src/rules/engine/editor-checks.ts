/**
 * The findings that an editor repeats. VS Code reports invalid JSON in open documents
 * (https://code.visualstudio.com/docs/languages/json). Its messages about a `SKILL.md` have no fixes and other severities
 * (`prompts-diagnostics-provider` of VS Code 1.139.1), so that they replace none of ours.
 */

/** Returns the names of the rules whose findings the editor itself shows in an open document with this language ID. */
export const shownByEditor = (editor: string | undefined, languageId: string | undefined): readonly string[] =>
  editor === 'VS Code' && languageId === 'json' ? ['invalid-json'] : [];
