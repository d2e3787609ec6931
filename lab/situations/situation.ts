/** A situation: a small set of files that asks one question of every client. */

/** A file is text, bytes, or a link to a path in the workspace. */
export type Content = string | Uint8Array | { readonly link: string };

export interface Situation {
  /** Never changes and is never used again. It is also the name of the skill's folder, unless the question is the folder. */
  readonly id: string;
  /** The question, in one sentence. */
  readonly question: string;
  /**
   * The files, by their path in the skills folder. A path with `/` at the start is in the workspace, with `~/` in the
   * home, and with `home:` in the skills folder of the home. `{skills}` is the path of the skills folder.
   */
  readonly files: Readonly<Record<string, Content>>;
  /** Words that only this situation contains. An entry with one of them is the entry of this situation. */
  readonly words: readonly string[];
  /** Text in the body that no other file has. Where it arrives, the skill was delivered. */
  readonly secret: string;
  /** The folder in the workspace where the client starts; undefined for the workspace itself. */
  readonly start?: string;
}

/** Returns the secret of a situation. */
export const secretOf = (id: string): string => `${id.toUpperCase()}-BODY`;

/** Returns a body with a secret, placeholders for arguments, and a link. */
export const bodyOf = (id: string): string =>
  `# ${id}\n\nThe secret word of this skill is ${secretOf(id)}. Arguments: $ARGUMENTS. First: $1. Second: \${2}.\nSee [notes](references/notes.md).\n`;

/** Returns a situation with one file. */
export function fileSituation(
  id: string,
  question: string,
  word: string,
  content: Content,
  path = `${id}/SKILL.md`,
): Situation {
  return { id, question, files: { [path]: content }, words: [id, word], secret: secretOf(id) };
}

/**
 * Returns a situation with a frontmatter, whose body is the usual one. A list of names has the skill under the name of
 * its frontmatter.
 */
export function skillSituation(
  id: string,
  question: string,
  word: string,
  frontmatter: string,
  body = bodyOf(id),
): Situation {
  const situation = fileSituation(id, question, word, `---\n${frontmatter}\n---\n\n${body}`);
  const name = /^name: "?([^"\n]+?)"?$/m.exec(frontmatter)?.[1] ?? id;
  return { ...situation, words: [...new Set([...situation.words, name])] };
}

/** Returns a usual frontmatter: a name, and a description with a word. */
export const usual = (name: string, word: string): string =>
  `name: ${name}\ndescription: Sorts ${word}. Use it when someone mentions ${word}.`;
