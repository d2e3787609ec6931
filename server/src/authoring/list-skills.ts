/** Lists the skills of a workspace in pages (docs/mcp.md, "list_skills"). */

import { abilitiesOf, type NotAnalysed, notAnalysed, unscannedScripts } from '../abilities/abilities.ts';
import { type FolderFile, MAX_LENGTH } from '../abilities/folder.ts';
import { allowedTools } from '../abilities/permissions.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { isDisabledHere } from '../analysis/permissions.ts';
import { findValue, type Json, jsonOf, listItems, stringOf } from '../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../nearest.ts';
import { namedSkills } from '../planner/offered.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { fileNameOf } from '../vocabulary/dialect.ts';
import { composersOf } from '../workspace/composition-lookups.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import { type IndexedSkill, isOfAccount, skillsNamed } from '../workspace/workspace-index.ts';
import { artifactText, variantOf } from './artifacts.ts';
import { type Refusal, refusal } from './refusal.ts';
import { type FramingView, framingOf } from './set-framing.ts';

export interface SkillFilter {
  readonly source?: string | undefined;
  /** The tags that a listed skill must have. */
  readonly tags?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly dialect?: string | undefined;
  /** A string that the name, the description or a tag must contain, ignoring case. */
  readonly text?: string | undefined;
  readonly cursor?: string | undefined;
}

interface SkillListItem {
  readonly name: string;
  readonly version: string | null;
  readonly uri: string;
  readonly dialect: string;
  readonly description: string;
  readonly source: string;
  readonly where: 'workspace' | 'account';
  readonly tags: readonly string[];
  readonly enabled: boolean;
  readonly deprecated: boolean;
}

export interface SkillPage {
  readonly skills: readonly SkillListItem[];
  readonly total: number;
  readonly nextCursor: string | null;
}

const PAGE = 50;

/** Lists a page of skills. `installed` has the URIs of the skills in a lock file, which are imported. */
export function listSkills(
  analysis: Analysis,
  filter: SkillFilter,
  installed: ReadonlySet<string>,
): SkillPage | Refusal {
  const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor);
  if (filter.cursor !== undefined && after === undefined) {
    return refusal(
      'invalid-argument',
      'Invalid `cursor`. Use the `nextCursor` from the last result, or omit `cursor` for the first page.',
    );
  }
  const all = namedSkills(analysis, analysis.index.files.keys()).flatMap((skill) => {
    const short = skillInShort(analysis, skill, installed);
    return short && passes(short, filter) ? [short] : [];
  });
  const begin = after === undefined ? 0 : all.findIndex((one) => keyOf(one) > after);
  const skills = begin < 0 ? [] : all.slice(begin, begin + PAGE);
  const last = skills.at(-1);
  const hasMore = last !== undefined && begin + PAGE < all.length;
  return { skills, total: all.length, nextCursor: hasMore ? encodeURIComponent(keyOf(last)) : null };
}

/** Returns a key that identifies a position in the list, and stays valid when skills are added or removed. */
const keyOf = ({ name, uri }: SkillListItem): string => `${name}\n${uri}`;

function readCursor(cursor: string): string | undefined {
  try {
    const key = decodeURIComponent(cursor);
    return key.includes('\n') ? key : undefined;
  } catch {
    return undefined;
  }
}

function skillInShort(
  analysis: Analysis,
  skill: IndexedSkill,
  installed: ReadonlySet<string>,
): SkillListItem | undefined {
  const file = analysis.file(skill.uri);
  if (!file?.isSkill || file.dialect === 'catalog') return undefined;
  const { name = '', version, deprecated } = skill.summary;
  return {
    ...{ name, version: version ?? null, uri: skill.uri, dialect: file.dialect },
    description: file.contract.description?.name ?? '',
    source: sourceOf(file, installed),
    where: isOfAccount(analysis.graph, skill.uri) ? 'account' : 'workspace',
    tags: listItems(findValue(file.frontmatter.tree.root, 'tags')).flatMap((tag) => stringOf(tag) ?? []),
    enabled: !isDisabledHere(analysis, skill),
    deprecated,
  };
}

/** Returns the origin. For an installed skill, the lock file decides, because its own file was written elsewhere. */
function sourceOf(file: SkillFile, installed: ReadonlySet<string>): string {
  const declared = textOf(file, 'source');
  return installed.has(file.uri) && declared !== 'marketplace' ? 'imported' : (declared ?? 'user');
}

const textOf = ({ frontmatter }: SkillFile, key: string): string | undefined =>
  stringOf(findValue(frontmatter.tree.root, key));

function passes(skill: SkillListItem, { source, tags = [], enabled, dialect, text }: SkillFilter): boolean {
  const words = [skill.name, skill.description, ...skill.tags].join('\n').toLowerCase();
  return (
    (source === undefined || skill.source === source) &&
    tags.every((tag) => skill.tags.includes(tag)) &&
    (enabled === undefined || skill.enabled === enabled) &&
    (dialect === undefined || skill.dialect === dialect) &&
    (text === undefined || words.includes(text.toLowerCase()))
  );
}

/** One skill as data: identity, contract, framing and artifacts (docs/mcp.md, "get_skill"). */
export interface SkillView extends SkillListItem {
  /** The whole frontmatter. */
  readonly metadata: Json;
  readonly input_schema: Json;
  readonly output_schema: Json;
  readonly framing: FramingView | null;
  readonly artifacts: readonly ArtifactView[];
  readonly capabilities: Capabilities;
  readonly composes: readonly string[];
  readonly composed_by: readonly { readonly name: string; readonly version: string | null; readonly uri: string }[];
}

interface ArtifactView {
  readonly kind: string;
  readonly name: string;
  readonly model_variant: string | null;
  readonly metadata: Json;
  /** The text, only if it was requested. */
  readonly content?: string;
}

/** Returns a skill as data, with the content of the artifacts whose kind is in `kinds`. */
export function skillView(
  analysis: Analysis,
  skill: IndexedSkill,
  kinds: ReadonlySet<string>,
  installed: ReadonlySet<string>,
): SkillView | undefined {
  const short = skillInShort(analysis, skill, installed);
  const file = analysis.file(skill.uri);
  if (!short || !file) return undefined;
  const { input, output } = file.contract;
  return {
    ...short,
    metadata: jsonOf(file.frontmatter.tree.root),
    input_schema: (input?.schema.json ?? null) as Json,
    output_schema: (output?.schema.json ?? null) as Json,
    framing: framingOf(file) ?? null,
    artifacts: artifactsOf(file, kinds),
    capabilities: capabilitiesOf(analysis, skill.uri),
    composes: skill.summary.composes.map(({ skill: composed }) => composed),
    composed_by: usersOf(analysis, skill),
  };
}

/** Returns the skills that compose a skill. */
export const usersOf = (analysis: Analysis, skill: IndexedSkill): SkillView['composed_by'] =>
  composersOf(analysis.graph, skill).map(({ uri, summary }) => ({
    ...{ name: summary.name ?? '', version: summary.version ?? null, uri },
  }));

const artifactsOf = (file: SkillFile, kinds: ReadonlySet<string>): readonly ArtifactView[] =>
  (file.body?.artifacts ?? []).map((artifact) => {
    const { kind, name } = artifact;
    const metadata = file.metadata.find((one) => one.artifact === artifact)?.tree.root;
    return {
      ...{ kind, name, model_variant: variantOf(file, artifact) ?? null, metadata: jsonOf(metadata) },
      ...(kinds.has(kind) ? { content: artifactText(file, artifact) } : {}),
    };
  });

/** The capabilities of a skill together with all skills that it composes (docs/mcp.md, "Capabilities"). */
interface Capabilities {
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly effects: readonly string[];
  readonly operation: string | null;
  readonly interrupts: readonly string[];
  /** The skills that the skill composes, directly and indirectly. */
  readonly skills: readonly string[];
  /** The composed skills that do not exist. */
  readonly missing: readonly string[];
  /** The programs that scripts and commands run, and whose effects are not analysed (docs/abilities.md). */
  readonly programs: readonly string[];
  /** The modules that scripts import, and whose effects are not analysed. */
  readonly modules: readonly string[];
  /** Other code that is not analysed, and the paths of scripts that are not scanned. */
  readonly unanalysed: readonly string[];
}

interface CapabilityChange {
  /** Labels such as `tool read_page`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const NONE: Capabilities = {
  ...{ tools: [], scopes: [], effects: [], operation: null },
  ...{ interrupts: [], skills: [], missing: [], programs: [], modules: [], unanalysed: [] },
};

/**
 * Returns the capabilities of a skill; none for a file that is not a skill. `files` are the files in the folder of a
 * `SKILL.md`; those of composed skills are used if they are known.
 */
export function capabilitiesOf(
  analysis: Analysis,
  uri: string,
  files: readonly FolderFile[] = analysis.folder(uri)?.files ?? [],
): Capabilities {
  const { graph } = analysis;
  const root = graph.skills.get(uri);
  if (!root) return NONE;
  const others = [...graph.closureOf(root)].filter((other) => other.uri !== uri);
  const all = [root, ...others];
  const { effects, operation, scopes, interrupts } = effectiveContract(all, analysis.operationOfTool);
  const names = others.map(({ summary }) => summary.name ?? '');
  const composed = all.flatMap(({ summary }) => summary.composes.map(({ skill }) => skill));
  return {
    tools: sorted(all.flatMap((one) => toolsOf(analysis.file(one.uri)))),
    scopes: sorted(scopes.keys()),
    effects: sorted(effects.keys()),
    operation: operation?.name ?? null,
    interrupts: sorted(interrupts.keys()),
    skills: sorted(names),
    missing: sorted(composed.filter((name) => !graph.byName.has(name))),
    ...notAnalysedIn(analysis, root.uri, files, others),
  };
}

function notAnalysedIn(
  analysis: Analysis,
  uri: string,
  files: readonly FolderFile[],
  others: readonly IndexedSkill[],
): NotAnalysed {
  const tooLarge: string[] = [];
  const ofSkill = (one: string, beside: readonly FolderFile[]) => {
    const file = analysis.file(one);
    if (!file || file.text.length <= MAX_LENGTH) return file ? [abilitiesOf(file, beside)] : [];
    tooLarge.push(fileNameOf(one));
    return [];
  };
  const all = [
    ...ofSkill(uri, files),
    ...others.flatMap((other) => ofSkill(other.uri, analysis.folder(other.uri)?.files ?? [])),
  ];
  const found = { scripts: all.flatMap(({ scripts }) => scripts), commands: all.flatMap(({ commands }) => commands) };
  return notAnalysed(found, [...tooLarge, ...all.flatMap(unscannedScripts)]);
}

/** Returns the tools of a skill. For a `SKILL.md`, these are the entries of `allowed-tools` as written. */
function toolsOf(file: SkillFile | undefined): readonly string[] {
  if (!file) return [];
  const allowed = file.dialect === 'agent-skill' ? allowedTools(file) : [];
  return [
    ...file.contract.tools.map(({ name }) => name),
    ...allowed.map(({ name, pattern }) => (pattern === undefined ? name : `${name}(${pattern})`)),
  ];
}

export function capabilityChange(before: Capabilities, after: Capabilities): CapabilityChange {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  return { added: now.filter((word) => !old.includes(word)), removed: old.filter((word) => !now.includes(word)) };
}

const wordsOf = (all: Capabilities): readonly string[] => [
  ...all.tools.map((name) => `tool ${name}`),
  ...all.scopes.map((name) => `scope ${name}`),
  ...all.effects.map((name) => `effect ${name}`),
  ...(all.operation === null ? [] : [`operation ${all.operation}`]),
  ...all.interrupts.map((name) => `interrupt ${name}`),
  ...all.skills.map((name) => `skill ${name}`),
  ...all.programs.map((name) => `program ${name}`),
  ...all.modules.map((name) => `module ${name}`),
  ...all.unanalysed.map((name) => `code ${name}`),
];

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

// Finds the skill that a call names, or returns the reason why there is no such skill.

/** Finds a skill by name and version. The workspace has precedence over the account. */
export function findSkill(analysis: Analysis, name: string, version: string | undefined): IndexedSkill | Refusal {
  const { graph } = analysis;
  const all = skillsNamed(graph, name);
  const own = all.filter(({ uri }) => !isOfAccount(graph, uri));
  const named = own.length > 0 ? own : all;
  const [found, ...more] = version === undefined ? named : named.filter((one) => one.summary.version === version);
  if (found && more.length === 0) return found;
  const versions = [...new Set(named.map(({ summary }) => summary.version ?? 'no version'))];
  if (found) {
    const by = versions.length === named.length ? 'its `version`' : 'its file';
    const list = inWords(versions, 'and');
    const message = `Several files define the skill \`${name}\` (${list}). Select one by ${by}.`;
    return refusal('ambiguous-skill', message);
  }
  if (named.length > 0) {
    return refusal(
      'no-such-skill',
      `The skill \`${name}\` has no version \`${version}\`. It has ${inWords(versions, 'and')}.`,
    );
  }
  const near = didYouMean(nearestNames(name, [...graph.byName.keys()], 1));
  return refusal('no-such-skill', `Unknown skill \`${name}\`.${near} \`list_skills\` returns all skills.`);
}
