/** One `SKILL.md` for each condition, in a folder that the client searches. */

import type { Client } from '../../../server/src/clients/facts/client.ts';
import { AgentSkills } from '../../../server/src/clients/matrix/agent-skills.ts';
import type { ClientRow } from '../../../server/src/clients/matrix/cell.ts';
import type { FileLink } from '../../../server/src/clients/matrix/subject.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';

/** A fault of a file. */
export type Condition =
  | 'missing_frontmatter'
  | 'unclosed_frontmatter'
  | 'bad_yaml'
  | 'unquoted_colon'
  | 'duplicate_key'
  | 'bom'
  | 'crlf'
  | 'missing_name'
  | 'missing_description'
  | 'empty_description'
  | 'name_bad_chars'
  | 'name_consecutive_hyphens'
  | 'name_not_folder'
  | 'name_too_long'
  | 'description_too_long'
  | 'empty_body'
  | 'duplicate_name';

export interface Fixture {
  readonly folder: string;
  readonly text: string;
  /** The text of a second skill of the workspace. */
  readonly other?: { readonly uri: string; readonly text: string };
}

const DESCRIPTION = "description: Tidies a novelist's notes.";
const NAME = 'name: tidy-notes';

export const skillText = (...lines: readonly string[]): string =>
  ['---', ...lines, '---', '', 'Merge notes about the same person.', ''].join('\n');

const plain = (...lines: readonly string[]): Fixture => ({ folder: 'tidy-notes', text: skillText(...lines) });

export function fixtureOf(client: Client, condition: Condition): Fixture {
  switch (condition) {
    case 'missing_frontmatter':
      return { folder: 'tidy-notes', text: 'Merge notes about the same person.\n' };
    case 'unclosed_frontmatter':
      return { folder: 'tidy-notes', text: `---\n${NAME}\n${DESCRIPTION}\n\nMerge notes.\n` };
    case 'bad_yaml':
      return plain(NAME, 'description: "open');
    case 'unquoted_colon':
      return plain(NAME, 'description: Tidies notes. Use when: there are many');
    case 'bom':
      return { folder: 'tidy-notes', text: `\uFEFF${skillText(NAME, DESCRIPTION)}` };
    case 'crlf':
      return { folder: 'tidy-notes', text: skillText(NAME, DESCRIPTION).replaceAll('\n', '\r\n') };
    case 'missing_name':
      return plain(DESCRIPTION);
    case 'missing_description':
      return plain(NAME);
    case 'name_bad_chars':
      return plain('name: tidy/notes', DESCRIPTION);
    case 'name_consecutive_hyphens':
      return { folder: 'tidy--notes', text: skillText('name: tidy--notes', DESCRIPTION) };
    case 'name_not_folder':
      return { folder: 'notes', text: skillText(NAME, DESCRIPTION) };
    case 'name_too_long':
      return { folder: 'a'.repeat(65), text: skillText(`name: ${'a'.repeat(65)}`, DESCRIPTION) };
    case 'description_too_long':
      return plain(NAME, `description: ${'a'.repeat(1537)}`);
    case 'duplicate_key':
      return plain(NAME, DESCRIPTION, DESCRIPTION);
    case 'empty_description':
      return plain(NAME, 'description: ""');
    case 'empty_body':
      return { folder: 'tidy-notes', text: `---\n${NAME}\n${DESCRIPTION}\n---\n` };
    case 'duplicate_name': {
      const dirs = dirsOf(client);
      const name = dirs.length > 1 ? 'tidy-notes' : 'notes';
      return { ...plain(NAME, DESCRIPTION), other: { uri: uriOf(dirs[0], name), text: skillText(NAME, DESCRIPTION) } };
    }
  }
}

const dirsOf = ({ dirs }: Client): readonly string[] =>
  dirs.value.flatMap(({ at, path, conditional }) =>
    at === 'home' || at === 'elsewhere' || conditional ? [] : [path.replace('*', 'writing')],
  );

const uriOf = (dir: string | undefined, folder: string): string =>
  `file:///w/${dir === undefined ? '' : `${dir}/`}${folder}/SKILL.md`;

/** Returns the file of a fixture in the last folder that the client reads. */
export const fileFor = (client: Client, { folder, text }: Fixture): SkillFile =>
  new SkillFile(uriOf(dirsOf(client).at(-1), folder), text);

/** Returns the client's row for a file at this path of the workspace. */
export function rowAt(client: Client, path: string, text: string, link?: FileLink): ClientRow {
  const file = new SkillFile(`file:///w/${path}`, text);
  const [row] = AgentSkills.of([file]).rowsOf(file, [client], () => link);
  if (!row) throw new Error(`no row for ${client.id}`);
  return row;
}

/** Returns the client's row for a fixture. */
export function rowFor(client: Client, fixture: Fixture): ClientRow {
  const { other } = fixture;
  const file = fileFor(client, fixture);
  const files = other ? [file, new SkillFile(other.uri, other.text)] : [file];
  const skills = AgentSkills.of(files.map(({ uri, summary }) => ({ uri, summary })));
  const [row] = skills.rowsOf(file, [client]);
  if (!row) throw new Error(`no row for ${client.id}`);
  return row;
}
