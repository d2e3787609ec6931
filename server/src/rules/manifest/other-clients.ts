/**
 * The faults of a `plugin.json` in Codex and Copilot CLI, which read it differently from Claude Code (docs/format.md,
 * section 9, "Plugins"). Observed with Codex 0.171.0 and Copilot CLI 1.0.102 on 2026-11-29.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import type { Draft, Severity } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { findEntry, findValue, stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { pluginRootOf, proposedName } from '../../vocabulary/manifests/formats.ts';
import { plainName } from './names.ts';
import { componentPaths, insideQuotes } from './paths.ts';
import { insertFirst } from './shape.ts';

type Fault =
  | 'name-missing'
  | 'name-space'
  | 'version-number'
  | 'skills-undotted'
  | 'skills-outside'
  | 'skills-file'
  | 'skills-type';

interface PluginReader {
  readonly id: string;
  readonly name: string;
  /** The manifests of the client itself. It also reads those of Claude Code. */
  readonly files: RegExp;
  readonly effects: ReadonlyMap<Fault, readonly [Severity, string]>;
}

const NO_SKILLS = ['error', 'loads none of the skills of the plugin'] as const;
const DEFAULT_FOLDER = ['warning', 'ignores the key and reads `skills/`'] as const;
const NOT_ADDED = ['error', 'refuses to add the plugin'] as const;

const READERS: readonly PluginReader[] = [
  {
    id: 'codex',
    name: 'Codex',
    files: /\/\.codex-plugin\/plugin\.json$/,
    effects: new Map<Fault, readonly [Severity, string]>([
      ['name-missing', ['warning', 'uses the version as the name of the plugin']],
      ['name-space', NOT_ADDED],
      ['version-number', NOT_ADDED],
      ['skills-undotted', DEFAULT_FOLDER],
      ['skills-outside', DEFAULT_FOLDER],
    ]),
  },
  {
    id: 'copilot-cli',
    name: 'Copilot CLI',
    files: /\/\.(?:github\/plugin|plugin)\/plugin\.json$/,
    effects: new Map<Fault, readonly [Severity, string]>([
      ['skills-outside', NO_SKILLS],
      ['skills-file', NO_SKILLS],
      ['skills-type', NO_SKILLS],
    ]),
  },
];

/** Returns the findings about Codex and Copilot CLI, if they are targets or the manifest is in their folder. */
export function otherClientDrafts(file: SkillFile, analysis: Analysis): readonly Draft[] {
  const { root } = file.frontmatter.tree;
  if (root?.kind !== 'map') return [];
  const { clients, isChosen } = targetsBeside(analysis, file.uri);
  const readers = READERS.filter(({ id, files }) => {
    const isOwn = files.test(file.uri);
    if (!isChosen) return isOwn;
    return (isOwn || /\/\.claude-plugin\/plugin\.json$/.test(file.uri)) && clients.some((client) => client.id === id);
  });
  if (readers.length === 0) return [];
  return faultsOf(file, root).flatMap(({ fault, what, ...rest }) => {
    const reader = readers.find(({ effects }) => effects.has(fault));
    const effect = reader?.effects.get(fault);
    if (!reader || !effect) return [];
    const [severity, does] = effect;
    return [{ ...rest, severity, message: `${what} ${reader.name} ${does}.` }];
  });
}

interface Found extends Pick<Draft, 'span' | 'fixes' | 'related'> {
  readonly fault: Fault;
  readonly what: string;
}

function faultsOf(file: SkillFile, root: YamlMap): readonly Found[] {
  const found: Found[] = [];
  const replace = (span: Span, value: string, isSafe = false) =>
    fixHere(file, `Replace with \`${value}\``, [{ span, newText: JSON.stringify(value) }], isSafe);
  const name = findEntry(root, 'name');
  const proposed = proposedName(pluginRootOf(file.uri));
  if (!name) {
    const span = root.entries[0]?.key.span ?? root.span;
    const fixes = fixHere(
      file,
      `Add \`"name": "${proposed}"\``,
      insertFirst(file.text, root, 'name', JSON.stringify(proposed)),
    );
    found.push({ fault: 'name-missing', span, what: 'Missing key `name`.', fixes });
  } else if (/\s/.test(stringOf(name.value) ?? '')) {
    const { span } = name.value;
    const fixes = replace(span, plainName(stringOf(name.value) ?? '') ?? proposed);
    found.push({ fault: 'name-space', span, what: 'The name contains a space.', fixes });
  }
  const version = findValue(root, 'version');
  if (version?.kind === 'scalar' && typeof version.value === 'number') {
    const fixes = replace(version.span, version.source, true);
    found.push({ fault: 'version-number', span: version.span, what: 'The version must be a string.', fixes });
  }
  const skills = findValue(root, 'skills');
  if (skills && skills.kind !== 'list' && stringOf(skills) === undefined) {
    found.push({ fault: 'skills-type', span: skills.span, what: '`skills` must be a path or a list of paths.' });
  }
  const paths: Found[] = [];
  for (const { key, node, path } of componentPaths(root)) {
    const span = insideQuotes(node);
    if (key !== 'skills' || path === '') continue;
    const folder = /^(?<folder>.+)\/SKILL\.md$/i.exec(path)?.groups?.folder;
    if (path.split('/').includes('..')) {
      paths.push({ fault: 'skills-outside', span, what: 'A path in `skills` cannot contain `..`.' });
    } else if (folder !== undefined) {
      const what = `A path in \`skills\` must be a folder: write \`${folder}\`.`;
      paths.push({ fault: 'skills-file', span, what, fixes: replace(node.span, folder) });
    } else if (path !== '.' && !path.startsWith('./') && !/^(?:[a-z]+:|[/\\~$])/i.test(path)) {
      const what = `A path in \`skills\` must begin with \`./\`: write \`./${path}\`.`;
      paths.push({ fault: 'skills-undotted', span, what, fixes: replace(node.span, `./${path}`, true) });
    }
  }
  return [...found, ...merged(file, paths)];
}

/** Merges the faults of one kind: the first one has the places of the others, and the fix of all. */
function merged(file: SkillFile, all: readonly Found[]): readonly Found[] {
  const kinds = [...new Set(all.map(({ fault }) => fault))];
  return kinds.flatMap((kind) => {
    const [first, ...others] = all.filter(({ fault }) => fault === kind);
    if (!first || others.length === 0) return first ?? [];
    const same = [first, ...others];
    const fixes = same.flatMap((one) => one.fixes ?? []);
    const edits = fixes.flatMap((fix) => fix.edits.flatMap((one) => one.edits));
    const isSafe = fixes.every(({ safe }) => safe);
    return {
      ...first,
      what: first.what.replace(/(?=:|\.$)/, ` (${same.length} paths)`),
      related: placesHere(file, others, 'The same fault is here.'),
      fixes: edits.length > 0 ? fixHere(file, `Correct ${edits.length} paths`, edits, isSafe) : [],
    };
  });
}
