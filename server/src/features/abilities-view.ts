/** The abilities of a skill folder (docs/abilities.md), with LSP ranges. */
import { type Abilities, abilitiesOf, type FoundAbility } from '../abilities/abilities.ts';
import type { FolderFile } from '../abilities/folder.ts';
import type { AbilitiesView, AbilityFound, AbilityPlace } from '../protocol/abilities-view.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { resolvePath } from '../skill-folder/links.ts';
import { lineStartsOf, type Span } from '../text.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import type { Locate, Located } from './locate.ts';

interface ScannedFile {
  readonly uri: string;
  readonly file: Located;
}

/** Returns the abilities of a `SKILL.md`; undefined for other files. `files` are the other files in its folder. */
export function abilitiesView(
  skill: SkillFile,
  files: readonly FolderFile[],
  locate: Locate,
): AbilitiesView | undefined {
  if (skill.dialect !== 'agent-skill') return undefined;
  const found = abilitiesOf(skill, files);
  const folder = folderOf(skill.uri);
  const texts = new Map(files.map(({ path, text }) => [path, text ?? '']));
  const known = new Map<string, ScannedFile>([[SKILL, { uri: skill.uri, file: skill }]]);
  const fileAt = (path: string): ScannedFile => {
    const text = texts.get(path) ?? '';
    const place = known.get(path) ?? { uri: resolvePath(folder, path), file: { text, lines: lineStartsOf(text) } };
    known.set(path, place);
    return place;
  };
  const placeOf = (path: string, span: Span): AbilityPlace => {
    const { uri, file } = fileAt(path);
    return { uri, path, range: locate.range(file, span) };
  };
  return viewOf(found, skill.uri, (path) => fileAt(path).uri, placeOf);
}

const SKILL = 'SKILL.md';

function viewOf(
  { tools, runs, scripts, commands, unread, secrets, addresses, hidden, deniesNetwork, leftOut }: Abilities,
  uri: string,
  uriOf: (path: string) => string,
  placeOf: (path: string, span: Span) => AbilityPlace,
): AbilitiesView {
  const placed = ({ path, span, what }: FoundAbility): AbilityFound => ({ what, place: placeOf(path, span) });
  return {
    uri,
    tools: tools.map(({ name, pattern, span }) => ({
      name,
      ...(pattern === undefined ? {} : { pattern }),
      place: placeOf(SKILL, span),
    })),
    runs: runs.map(({ span, isCommand: _, ...run }) => ({ ...run, place: placeOf(SKILL, span) })),
    scripts: scripts.map(({ path, language, reaches, unanalysed }) => ({
      uri: uriOf(path),
      path,
      language,
      reaches: reaches.map(({ reach, by, span }) => ({ reach, by, place: placeOf(path, span) })),
      unanalysed: unanalysed.map(({ kind, name, span }) => ({ kind, name, place: placeOf(path, span) })),
    })),
    commands: commands.map(({ kind, name, path, span }) => ({ kind, name, place: placeOf(path, span) })),
    unread: unread.map(placed),
    secrets: secrets.map(placed),
    addresses: addresses.map(({ host, path, span }) => ({ host, place: placeOf(path, span) })),
    hidden: hidden.map(placed),
    ...(deniesNetwork === undefined ? {} : { deniesNetwork }),
    leftOut,
  };
}
