/** One `SKILL.md` for each condition, in a folder that the client searches. */
import { AgentSkills } from '../../../server/src/agent-skills/agent-skills.ts';
import type { ClientRow } from '../../../server/src/agent-skills/cell.ts';
import { type FileLink, type Subject, subjectOf } from '../../../server/src/agent-skills/subject.ts';
import { lengthOf } from '../../../server/src/skill/agent-skill-facts.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import type { Client, Condition } from '../../../server/src/vocabulary/client.ts';

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

/** Returns a value of another type. */
const WRONG: Readonly<Record<string, string>> = { string: '5', scalar: '[5]', map: '[a]', boolean: 'maybe' };

export function fixtureOf(client: Client, condition: Condition): Fixture {
  switch (condition) {
    case 'missing_frontmatter':
      return { folder: 'tidy-notes', text: 'Merge notes about the same person.\n' };
    case 'unclosed_frontmatter':
      return { folder: 'tidy-notes', text: `---\n${NAME}\n${DESCRIPTION}\n\nMerge notes.\n` };
    case 'empty_frontmatter':
      return { folder: 'tidy-notes', text: '---\n---\n\nMerge notes.\n' };
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
    case 'unknown_key':
      return plain(NAME, DESCRIPTION, 'mood: good');
    case 'name_reserved':
      return plain(`name: ${client.limits.name?.value.reserved?.[0] ?? ''}notes`, DESCRIPTION);
    case 'description_tags':
      return plain(NAME, 'description: Tidies a <b>novelist</b>.');
    case 'wrong_type': {
      const [[key, type] = ['', 'string']] = Object.entries(client.outcomes.wrong_type?.types ?? {});
      const lines = [NAME, DESCRIPTION].filter((line) => !line.startsWith(`${key}:`));
      return plain(...lines, `${key}: ${WRONG[type ?? ''] ?? ''}`);
    }
    case 'duplicate_key':
      return plain(NAME, DESCRIPTION, DESCRIPTION);
    case 'empty_description':
      return plain(NAME, 'description: ""');
    case 'unknown_tag':
      return plain(NAME, 'description: !about Tidies notes.');
    case 'unquoted_sign':
      return plain(NAME, 'description: @team tidies notes.');
    case 'fence_spaces':
      return { folder: 'tidy-notes', text: skillText(NAME, DESCRIPTION).replaceAll('---', '--- ') };
    case 'cr':
      return { folder: 'tidy-notes', text: skillText(NAME, DESCRIPTION).replaceAll('\n', '\r') };
    case 'file_too_large':
      return { folder: 'tidy-notes', text: skillText(NAME, DESCRIPTION) + 'a'.repeat(300_000) };
    case 'empty_body':
      return { folder: 'tidy-notes', text: `---\n${NAME}\n${DESCRIPTION}\n---\n` };
    case 'duplicate_name': {
      const fixture = plain(NAME, DESCRIPTION);
      const dirs = dirsOf(client);
      // The skill that is shadowed is in the last folder if the first wins, and in the first folder if the last wins.
      const [own, duplicate] =
        client.precedence.value === 'last' ? [dirs.at(0), dirs.at(-1)] : [dirs.at(-1), dirs.at(0)];
      const isOne = own === duplicate;
      const name = client.identity === 'folder' || !isOne ? 'tidy-notes' : 'notes';
      return { ...fixture, other: { uri: uriOf(duplicate, name), text: skillText(NAME, DESCRIPTION) } };
    }
  }
}

const dirsOf = ({ dirs }: Client): readonly string[] =>
  dirs.value.flatMap(({ at, path, conditional }) =>
    at === 'home' || at === 'elsewhere' || conditional ? [] : [path.replace('*', 'writing')],
  );

const uriOf = (dir: string | undefined, folder: string): string =>
  `file:///w/${dir === undefined ? '' : `${dir}/`}${folder}/SKILL.md`;

/** The folder that the client reads last, or first if the last one wins. */
export function fileFor(client: Client, { folder, text }: Fixture): SkillFile {
  const dirs = dirsOf(client);
  const dir = client.precedence.value === 'last' ? dirs.at(0) : dirs.at(-1);
  return new SkillFile(uriOf(dir, folder), text);
}

export function subjectFor(client: Client, fixture: Fixture): Subject {
  const { uri, text, summary, frontmatter } = fileFor(client, fixture);
  if (!summary.agentSkill) throw new Error(`no skill for ${client.id}`);
  const isEmpty = text.slice(frontmatter.bodyStart).trim() === '';
  return subjectOf(uri, summary.agentSkill, { bytes: lengthOf(text).bytes, isEmpty });
}

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
