import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Fix, Severity } from '../../finding.ts';
import { fixHere, placesHere, withShortTexts } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  isNull,
  listItems,
  mapEntries,
  stringOf,
  type YamlMap,
  type YamlNode,
} from '../../languages/yaml/node.ts';
import { closestTypo, didYouMean, inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, overlaps, type Span, span } from '../../text.ts';
import type { ShapeProblem } from '../../vocabulary/check-shape.ts';
import { resolvePath } from '../../vocabulary/dialect.ts';
import { strictSemverProblem } from '../../vocabulary/formats.ts';
import { DISPLAY_KEYS, GUARDING_EVENTS, HOOK_NEEDS } from '../../vocabulary/manifests/claude-code.ts';
import {
  claudeManifestIn,
  type ManifestFormat,
  pluginRootOf,
  proposedName,
} from '../../vocabulary/manifests/formats.ts';
import { relatedOf } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { misplacedMarketplace } from './misplaced.ts';
import {
  agentPluginNameFault,
  extensionNameFault,
  marketplaceNameFault,
  type NameFault,
  plainName,
  pluginNameFault,
} from './names.ts';
import { otherClientDrafts } from './other-clients.ts';
import { type ComponentPath, componentPaths, insideQuotes, type PathFault, pathFault } from './paths.ts';
import { entryAround, formatOf, insertFirst, invalidProblems } from './shape.ts';
import { pluginRootIn, sourceFault } from './sources.ts';

/** A fault of a manifest for which a client refuses the plugin, the marketplace or a part of it. */
export const invalidPluginManifest: Rule = {
  name: 'invalid-plugin-manifest',
  severity: 'error',
  evidence: {
    kind: 'vendor',
    source: 'https://code.claude.com/docs/en/plugins-reference',
    checked: '2026-11-30',
  },
  dialects: ['plugin'],
  *check(file, analysis) {
    const own = [...misplacedMarketplace(file, analysis), ...ownDrafts(file, analysis)];
    const places = own.flatMap(placesOf);
    const others = otherClientDrafts(file, analysis).filter(
      (draft) => !places.some((place) => placesOf(draft).some((one) => overlaps(place, one))),
    );
    for (const draft of [...own, ...others]) yield withShortTexts(draft);
  },
};

/** Returns the places in the manifest that a finding is about. */
const placesOf = ({ span: place, related = [] }: Draft): readonly Span[] => [place, ...related.map((one) => one.span)];

/** Reports the faults of a manifest in the client that its format belongs to. */
function* ownDrafts(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const format = formatOf(file, analysis);
  if (!format) return;
  const { root } = file.frontmatter.tree;
  yield* byteOrderMark(file, format);
  if (root?.kind !== 'map') {
    const { start } = root?.span ?? span(0, 0);
    const place = span(start, root ? root.span.end : Math.min(file.text.length, 1));
    // `invalid-json` reports an empty file.
    if (root) yield { span: place, message: `A manifest must be an object. ${lossOf(format, 'file')}` };
    return;
  }
  const exact = [...formatDrafts(file, analysis, format, root)];
  for (const problem of invalidProblems(file)) {
    const isSaid =
      problem.kind === 'value' &&
      exact.some((draft) => placesOf(draft).some(({ start }) => start === problem.span.start));
    if (!isSaid) yield shapeDraft(file, format, root, problem);
  }
  yield* exact;
}

/** Reports what the keys and the types of their values do not show. */
function* formatDrafts(file: SkillFile, analysis: Analysis, format: ManifestFormat, root: YamlMap): Iterable<Draft> {
  switch (format.kind) {
    case 'plugin':
      yield* nameDraft(file, findValue(root, 'name'), pluginNameFault, NAME_OF_PLUGIN);
      yield* pathDrafts(file, root, 'Claude Code does not load the plugin.');
      yield* inlineHooks(file, root);
      yield* commandDrafts(file, root);
      yield* serverDrafts(root);
      return;
    case 'marketplace':
      yield* nameDraft(file, findValue(root, 'name'), marketplaceNameFault, NAME_OF_MARKETPLACE);
      yield* marketplaceDrafts(file, analysis, root);
      return;
    case 'hooks':
      yield* hooksFile(file, root);
      return;
    case 'agent-plugin':
      yield* nameDraft(file, findValue(root, 'name'), agentPluginNameFault, NAME_OF_AGENT_PLUGIN);
      return;
    case 'extension':
      yield* extensionDrafts(file, format, root);
      return;
  }
}

/** Returns the offsets of the paths that this rule reports, so that no other rule reports them as missing. */
export function reportedPaths(file: SkillFile, analysis: Analysis): ReadonlySet<number> {
  const format = formatOf(file, analysis);
  const { root } = file.frontmatter.tree;
  if (format?.client?.id !== 'claude-code') return new Set();
  const entries = format.kind === 'marketplace' ? listItems(findValue(root, 'plugins')) : [];
  const paths = [root, ...entries].flatMap(componentPaths).filter((path) => pathFault(path));
  const sources = entries.flatMap((entry) => faultOfSource(file, analysis, root, entry) ?? []);
  return new Set([...paths.map(({ node }) => insideQuotes(node).start), ...sources.map((fault) => fault.span.start)]);
}

// The effects on clients.

/** Returns the sentence about the loss of the whole file, or of a part of it. */
function lossOf({ kind, client }: ManifestFormat, part: 'file' | 'entry'): string {
  if (!client) return 'Clients must refuse the plugin.';
  if (part === 'entry') return `${client.name} cannot install the plugin.`;
  switch (kind) {
    case 'marketplace':
      return `${client.name} refuses the marketplace.`;
    case 'hooks':
      return `${client.name} loads none of these hooks.`;
    case 'extension':
      return `${client.name} does not load the extension.`;
    default:
      return `${client.name} does not load the plugin.`;
  }
}

interface Effect {
  readonly severity: Severity;
  readonly loss: string;
}

/** Returns the effect of a wrong value or a missing key at a place. */
function effectAt(format: ManifestFormat, root: YamlMap, place: Span): Effect {
  const entry = entryAround(root, place);
  const key = entry && String(entry.key.value);
  const isInside = entry !== undefined && entry.key.span !== place;
  if (key === 'hooks' && isInside && isInHooks(entry.value, place)) {
    return effectOnHook(eventAround(entry.value, place));
  }
  if (format.kind === 'hooks' && key === 'hooks' && !isNull(entry?.value)) {
    return { severity: 'error', loss: 'Claude Code does not load the plugin.' };
  }
  if (format.kind === 'plugin' && key !== undefined && DISPLAY_KEYS.has(key)) {
    return {
      severity: 'warning',
      loss: 'Claude Code ignores the key, but `claude plugin validate` refuses the plugin.',
    };
  }
  const isEntry = format.kind === 'marketplace' && key === 'plugins' && entry?.value.kind === 'list';
  return {
    severity: 'error',
    loss: lossOf(format, isEntry && isInside && place !== entry.value.span ? 'entry' : 'file'),
  };
}

/** Returns the effect of a fault in the hooks of an event. */
const effectOnHook = (event: string | undefined): Effect =>
  event !== undefined && GUARDING_EVENTS.has(event)
    ? { severity: 'error', loss: 'Claude Code does not load the plugin.' }
    : { severity: 'warning', loss: 'Claude Code ignores this entry.' };

/** Returns the event at a place in hooks; undefined for an event without a value, which is ignored. */
function eventAround(hooks: YamlNode, place: Span): string | undefined {
  const all = hooks.kind === 'list' ? hooks.items : [hooks];
  const entry = all.map((one) => entryAround(one, place)).find((one) => one !== undefined);
  return entry && !isNull(entry.value) ? String(entry.key.value) : undefined;
}

/** Returns whether a place is in a map of events. */
const isInHooks = (value: YamlNode, place: Span): boolean =>
  value.kind === 'list'
    ? value.items.some((item) => isInHooks(item, place))
    : value.kind === 'map' && contains(value.span, place) && value.span !== place;

// Keys and values.

function shapeDraft(file: SkillFile, format: ManifestFormat, root: YamlMap, problem: ShapeProblem): Draft {
  const { kind, key, meant = [], span: place } = problem;
  const { severity, loss } = effectAt(format, root, place);
  if (kind === 'missing-key' && meant.length === 0) {
    const map = mapAround(root, problem);
    const owner = mapEntries(root).find(({ value }) => value === map)?.key.value;
    const inOwner = owner === undefined ? '' : ` in \`${String(owner)}\``;
    return {
      span: place,
      severity,
      message: `${map && findEntry(map, key) ? `\`${key}\` cannot be \`null\`` : `Missing key \`${key}\`${inOwner}`}. ${loss}`,
      fixes: map ? addKey(file, format, map, key) : [],
    };
  }
  if (kind !== 'value') {
    const [near] = meant;
    const fixes = near === undefined ? [] : renameTo(file, place, near);
    const map = mapAround(root, problem);
    const removal = map ? removeEntry(file.text, map, key) : [];
    return {
      span: place,
      severity,
      message: `Unknown key \`${key}\`: ${loss}${didYouMean(meant)}`,
      fixes: [...fixes, ...fixHere(file, `Remove the key \`${key}\``, removal)],
    };
  }
  const what = problem.message
    .replace(/ Quote it\.$/, '')
    .replace(/ is empty\. Add a value, or remove it\.$/, ' cannot be `null`.');
  const fixes = valueFixes(file, root, problem);
  return { span: place, severity, message: `${what} ${loss}`, ...relatedOf(file, problem), fixes };
}

const renameTo = (file: SkillFile, place: Span, name: string): readonly Fix[] =>
  fixHere(file, `Rename to \`${name}\``, [{ span: place, newText: JSON.stringify(name) }]);

/** Returns the innermost map with an entry at the place of a problem, or that is itself the place. */
function mapAround(node: YamlNode | undefined, { span: place }: ShapeProblem): YamlMap | undefined {
  if (!node || node.kind === 'scalar') return undefined;
  const below = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
  for (const child of below) {
    const found = contains(child.span, place) ? mapAround(child, { span: place } as ShapeProblem) : undefined;
    if (found) return found;
  }
  return node.kind === 'map' ? node : undefined;
}

/** Offers to add a key whose value is known, or is easy to replace. */
function addKey(file: SkillFile, { kind }: ManifestFormat, map: YamlMap, key: string): readonly Fix[] {
  const source = stringOf(findValue(map, 'source'));
  const folder = source === undefined ? pluginRootOf(file.uri) : source.replace(/\/+$/, '');
  const values: Readonly<Record<string, string>> = {
    ...(findEntry(map, 'email') || findEntry(map, 'url') ? {} : { name: JSON.stringify(proposedName(folder)) }),
    version: '"1.0.0"',
    plugins: '[]',
    owner: '{"name": "OWNER"}',
    ...(kind === 'hooks' && { type: '"command"' }),
  };
  const value = values[key];
  if (key === 'hooks' && findEntry(map, 'type')) return wrapHandler(file, map);
  if (value === undefined) return [];
  const present = findValue(map, key);
  const edits = present ? [{ span: present.span, newText: value }] : insertFirst(file.text, map, key, value);
  return fixHere(file, `Add \`"${key}": ${value}\``, edits).map((fix) =>
    key === 'owner' ? { ...fix, placeholder: 'OWNER' } : fix,
  );
}

/** Offers to put a hook that is directly in an event in the list `hooks`, after its `matcher`. */
function wrapHandler(file: SkillFile, map: YamlMap): readonly Fix[] {
  const isMatcher = (at: number): boolean => map.entries[at]?.key.value === 'matcher';
  const own = map.entries.filter((_, at) => !isMatcher(at));
  const [first] = own;
  if (!first || (own.length < map.entries.length && !isMatcher(0)) || findEntry(map, 'hooks')) return [];
  const start = first.key.span.start;
  const end = own.at(-1)?.value.span.end ?? start;
  return fixHere(file, 'Put it in `hooks`', [
    { span: span(start, start), newText: '"hooks": [{' },
    { span: span(end, end), newText: '}]' },
  ]);
}

function valueFixes(file: SkillFile, root: YamlMap, problem: ShapeProblem): readonly Fix[] {
  const { key, span: place } = problem;
  const map = mapAround(root, problem);
  const value = findValue(map, key);
  const written = stringOf(value);
  const replace = (title: string, newText: string) => fixHere(file, title, [{ span: place, newText }], true);
  if ((key === 'author' || key === 'owner') && written?.trim()) {
    const {
      name = '',
      email,
      url,
    } = /^(?<name>[^<(]*?)\s*(?:<(?<email>[^>]*)>)?\s*(?:\((?<url>[^)]*)\))?\s*$/.exec(written)?.groups ?? {};
    const person = { name: name || written, ...(email && { email }), ...(url && { url }) };
    return replace('Write it as an object', JSON.stringify(person).replaceAll(',"', ', "').replaceAll('":', '": '));
  }
  const url = key === 'repository' ? stringOf(findValue(value, 'url')) : undefined;
  if (url !== undefined) return replace('Keep only the address', JSON.stringify(url));
  if (map && value?.kind === 'scalar' && value.value === null) {
    return fixHere(file, `Remove the key \`${key}\``, removeEntry(file.text, map, key), true);
  }
  return problem.fixes.flatMap(({ title, edits, safe }) => fixHere(file, title, inJson(edits), safe));
}

/** Puts words that a fix writes in quotes, except values that JSON has. */
const inJson = (edits: ShapeProblem['fixes'][number]['edits']) =>
  edits.map((edit) =>
    /^(?:["[\]]|true$|false$|null$|-?\d)/.test(edit.newText) || edit.newText === ''
      ? edit
      : { ...edit, newText: JSON.stringify(edit.newText) },
  );

function* byteOrderMark(file: SkillFile, format: ManifestFormat): Iterable<Draft> {
  if (!file.text.startsWith('\uFEFF')) return;
  const isFatal = format.kind === 'extension';
  yield {
    span: span(0, 1),
    severity: isFatal ? 'error' : 'hint',
    message: `The file begins with a byte order mark. ${isFatal ? lossOf(format, 'file') : 'Remove it: the directory of plugins and other clients refuse it.'}`,
    fixes: fixHere(file, 'Remove the byte order mark', [{ span: span(0, 1), newText: '' }], true),
  };
}

// Names.

type Losses = Readonly<Record<NameFault['effect'], readonly [Severity, string]>>;

const NAME_OF_PLUGIN: Losses = {
  'not-loaded': ['error', 'Claude Code does not load the plugin.'],
  'not-installed': ['warning', 'Claude Code cannot install it from a marketplace.'],
  refused: ['warning', '`claude plugin validate` refuses it.'],
  'not-listed': ['hint', 'The marketplaces of claude.ai require this form.'],
  doubted: ['hint', '`claude plugin validate` warns about it.'],
};

const NAME_OF_ENTRY: Losses = {
  ...NAME_OF_PLUGIN,
  'not-loaded': ['error', 'Claude Code cannot install the plugin.'],
  'not-installed': ['error', 'Claude Code cannot install the plugin.'],
};

const NAME_OF_MARKETPLACE: Losses = {
  ...NAME_OF_PLUGIN,
  'not-loaded': ['error', 'Claude Code refuses the marketplace.'],
};

const NAME_OF_AGENT_PLUGIN: Losses = {
  ...NAME_OF_PLUGIN,
  'not-loaded': ['error', 'Clients must refuse the plugin.'],
};

function* nameDraft(
  file: SkillFile,
  node: YamlNode | undefined,
  faultOf: (name: string) => NameFault | undefined,
  losses: Losses,
): Iterable<Draft> {
  const name = stringOf(node);
  const fault = name === undefined ? undefined : faultOf(name);
  if (!fault || name === undefined || node?.kind !== 'scalar') return;
  const [severity, loss] = losses[fault.effect];
  const plain = plainName(name);
  const isBetter = plain !== undefined && !faultOf(plain);
  yield {
    span: node.span,
    severity,
    message: `${fault.what} ${loss}`,
    fixes: isBetter
      ? fixHere(file, `Replace with \`${plain}\``, [{ span: node.span, newText: JSON.stringify(plain) }])
      : [],
  };
}

// Paths.

/** Reports the faults of paths. Several paths of one key with the same fault have one finding, at the first of them. */
function* pathDrafts(file: SkillFile, owner: YamlNode, loss: string): Iterable<Draft> {
  const groups = new Map<string, (ComponentPath & { readonly fault: PathFault })[]>();
  for (const path of componentPaths(owner)) {
    const fault = pathFault(path);
    if (!fault) continue;
    const kind = `${path.key} ${fault.what} ${fault.losesPath}`;
    const known = groups.get(kind);
    if (known) known.push({ ...path, fault });
    else groups.set(kind, [{ ...path, fault }]);
  }
  for (const [first, ...others] of groups.values()) {
    if (!first) continue;
    const all = [first, ...others];
    const { what, right, losesPath } = first.fault;
    const lost = losesPath ? `Claude Code does not load ${others.length > 0 ? 'them' : 'it'}.` : loss;
    const counted = others.length > 0 ? `${what.slice(0, -1)} (${all.length} paths)` : what.slice(0, -1);
    const place = insideQuotes(first.node);
    const edits = all.flatMap(({ node, fault }) =>
      fault.right === undefined ? [] : [{ span: node.span, newText: JSON.stringify(fault.right) }],
    );
    const title = edits.length > 1 ? `Correct ${edits.length} paths` : `Replace with \`${right}\``;
    yield {
      span: place.start === place.end ? first.node.span : place,
      message: `${right === undefined ? `${counted}.` : `${counted}: write \`${right}\`.`} ${lost}`,
      ...(others.length > 0 && {
        related: placesHere(
          file,
          others.map(({ node }) => node),
          'The same fault is here.',
        ),
      }),
      fixes: [
        ...(edits.length > 0
          ? fixHere(
              file,
              title,
              edits,
              all.every(({ fault }) => fault.isSame === true),
            )
          : []),
        ...removeUsual(file, owner, all),
      ],
    };
  }
}

/** Offers to remove a key that names only the folder that the client reads without it, such as `agents/`. */
function removeUsual(file: SkillFile, owner: YamlNode, all: readonly ComponentPath[]): readonly Fix[] {
  const [{ key } = { key: '' }] = all;
  const value = findValue(owner, key);
  const count = value?.kind === 'list' ? value.items.length : 1;
  const isUsual = all.every(({ path }) => path.replace(/^\.\/|\/+$/g, '') === key);
  return owner.kind === 'map' && USUAL.has(key) && isUsual && count === all.length && value
    ? fixHere(file, `Remove the key \`${key}\``, removeEntry(file.text, owner, key))
    : [];
}

/** The keys that need files, with a folder of the same name that Claude Code always reads. */
const USUAL: ReadonlySet<string> = new Set(['agents', 'hooks']);

// Marketplaces.

function* marketplaceDrafts(file: SkillFile, analysis: Analysis, root: YamlMap): Iterable<Draft> {
  const firsts = new Map<string, YamlNode>();
  for (const entry of listItems(findValue(root, 'plugins'))) {
    const node = findValue(entry, 'name');
    const name = stringOf(node);
    const first = name === undefined ? undefined : firsts.get(name);
    if (first && node) {
      yield {
        span: node.span,
        message: `Another plugin has the name \`${name}\`, and Claude Code installs only one of them. Rename one.`,
        related: placesHere(file, [first], 'The first one is here.'),
      };
    } else if (name !== undefined && node) {
      firsts.set(name, node);
      yield* nameDraft(file, node, entryNameFault, NAME_OF_ENTRY);
    }
    const fault = faultOfSource(file, analysis, root, entry);
    const source = findValue(entry, 'source');
    if (fault && source) {
      const { right } = fault;
      yield {
        span: fault.span.start === fault.span.end ? source.span : fault.span,
        message: `${fault.what} Claude Code cannot install the plugin.`,
        fixes:
          right === undefined
            ? []
            : fixHere(file, `Replace with \`${source.kind === 'map' ? JSON.parse(right) : right}\``, [
                { span: source.kind === 'map' ? fault.span : source.span, newText: right },
              ]),
      };
    }
    yield* pathDrafts(file, entry, 'Claude Code cannot install the plugin.');
    yield* conflictDraft(file, analysis, entry);
  }
}

/** A marketplace accepts capitals, so only refused names are faults there. */
function entryNameFault(name: string): NameFault | undefined {
  const fault = pluginNameFault(name);
  return fault?.effect === 'not-listed' ? undefined : fault;
}

function faultOfSource(file: SkillFile, analysis: Analysis, root: YamlNode | undefined, entry: YamlNode) {
  const folder = pluginRootOf(file.uri);
  return sourceFault(
    findValue(entry, 'source'),
    pluginRootIn(root),
    (path) => analysis.exists(resolvePath(folder, path)) === false,
  );
}

/** The components that an entry cannot have beside a `plugin.json` if it is the only manifest. */
const CONFLICTING = ['skills', 'commands', 'agents', 'hooks', 'outputStyles'];

/** Reports an entry with `strict: false` and components whose plugin has a manifest, too. */
function* conflictDraft(file: SkillFile, analysis: Analysis, entry: YamlNode): Iterable<Draft> {
  const strict = findEntry(entry, 'strict');
  const source = stringOf(findValue(entry, 'source'));
  const isOnly = strict?.value.kind === 'scalar' && strict.value.value === false;
  const listed = CONFLICTING.filter((key) => findEntry(entry, key));
  if (!isOnly || source === undefined || listed.length === 0 || entry.kind !== 'map') return;
  const manifest = claudeManifestIn(resolvePath(pluginRootOf(file.uri), source));
  if (!analysis.file(manifest)) return;
  yield {
    span: strict.span,
    message: `With \`strict: false\` and ${inWords(listed, 'and')}, the plugin cannot have a \`plugin.json\`, too: Claude Code does not load it. Remove \`strict\`.`,
    related: [{ uri: manifest, span: span(0, 0), message: 'This is the other manifest.' }],
    fixes: fixHere(file, 'Remove the key `strict`', removeEntry(file.text, entry, 'strict')),
  };
}

// Commands and servers.

function* commandDrafts(file: SkillFile, root: YamlMap): Iterable<Draft> {
  for (const { key, value } of mapEntries(findValue(root, 'commands'))) {
    if (value.kind !== 'map') continue;
    const hasSource = findEntry(value, 'source') !== undefined;
    const hasContent = findEntry(value, 'content') !== undefined && stringOf(findValue(value, 'content')) !== '';
    if (hasSource !== hasContent) continue;
    yield {
      span: key.span,
      message: `A command needs ${hasSource ? 'only one of `source` and `content`' : '`source` or `content`'}. Claude Code does not load the plugin.`,
      fixes: hasSource ? fixHere(file, 'Remove the key `content`', removeEntry(file.text, value, 'content')) : [],
    };
  }
}

/** Reports servers that are neither started nor at an address of a known kind. */
function* serverDrafts(root: YamlMap): Iterable<Draft> {
  const value = findValue(root, 'mcpServers');
  for (const all of value?.kind === 'list' ? value.items : value ? [value] : []) {
    for (const { key, value: server } of mapEntries(all)) {
      if (server.kind !== 'map' || findEntry(server, 'command') || findEntry(server, 'type')) continue;
      const what = findEntry(server, 'url')
        ? 'A server with `url` needs a `type`, such as `http`.'
        : 'A server needs `command`, or `type` and `url`.';
      yield { span: key.span, message: `${what} Claude Code does not load the plugin.` };
    }
  }
}

// Hooks.

function* hooksFile(file: SkillFile, root: YamlMap): Iterable<Draft> {
  const hooks = findEntry(root, 'hooks');
  if (hooks) yield* handlerDrafts(file, hooks.value);
  const guarding = root.entries.find(({ key }) => GUARDING_EVENTS.has(String(key.value)));
  const loss = guarding ? 'Claude Code does not load the plugin.' : 'Claude Code loads none of these hooks.';
  if (hooks || findEntry(root, 'modules')) {
    if (guarding) {
      yield { span: guarding.key.span, message: `\`${guarding.key.value}\` must be in \`hooks\`. ${loss}` };
    }
    return;
  }
  const { start, end } = root.span;
  const [first] = root.entries;
  yield {
    span: first?.key.span ?? root.span,
    message: `The events must be in the key \`hooks\`. ${loss}`,
    fixes: first
      ? fixHere(file, 'Put the events in `hooks`', [
          { span: span(start, start), newText: '{"hooks": ' },
          { span: span(end, end), newText: '}' },
        ])
      : fixHere(file, 'Add `"hooks": {}`', insertFirst(file.text, root, 'hooks', '{}')),
  };
}

function* inlineHooks(file: SkillFile, root: YamlMap): Iterable<Draft> {
  const value = findValue(root, 'hooks');
  for (const hooks of value?.kind === 'list' ? value.items : value ? [value] : []) {
    yield* handlerDrafts(file, hooks);
    const outer = findEntry(hooks, 'hooks');
    if (outer?.value.kind !== 'map' || hooks.kind !== 'map' || hooks.entries.length > 1) continue;
    const isGuarding = outer.value.entries.some(({ key }) => GUARDING_EVENTS.has(String(key.value)));
    yield {
      span: outer.key.span,
      severity: isGuarding ? 'error' : 'warning',
      message: `In \`plugin.json\`, the events are directly in \`hooks\`. ${isGuarding ? 'Claude Code does not load the plugin.' : 'Claude Code ignores this second `hooks`.'}`,
      fixes: fixHere(file, 'Remove the second `hooks`', [
        { span: span(hooks.span.start, outer.value.span.start), newText: '' },
        { span: span(outer.value.span.end, hooks.span.end), newText: '' },
      ]),
    };
  }
}

/** Reports hooks without a key that their type needs. The shape of the file reports wrong types. */
function* handlerDrafts(file: SkillFile, hooks: YamlNode): Iterable<Draft> {
  for (const { key: event, value: matchers } of mapEntries(hooks)) {
    for (const matcher of listItems(matchers)) {
      for (const handler of listItems(findValue(matcher, 'hooks'))) {
        yield* unquotedFolder(file, handler);
        const type = findEntry(handler, 'type');
        const needs = HOOK_NEEDS.get(stringOf(type?.value) ?? '') ?? [];
        const missing = needs.filter((key) => !findEntry(handler, key));
        if (!type || missing.length === 0) continue;
        const { severity, loss } = effectOnHook(String(event.value));
        const misspelt = mapEntries(handler).find(({ key }) => closestTypo(String(key.value), missing));
        if (misspelt && missing.length === 1) {
          const { span: place, value: key } = misspelt.key;
          const message = `Unknown key \`${String(key)}\`.${didYouMean(missing)} ${loss}`;
          yield { span: place, severity, message, fixes: missing.flatMap((name) => renameTo(file, place, name)) };
          continue;
        }
        yield {
          span: type.span,
          severity,
          message: `A hook of the type \`${stringOf(type.value)}\` needs ${inWords(missing, 'and')}. ${loss}`,
        };
      }
    }
  }
}

/** Reports the folder of a plugin in a shell command without quotes: a space in its path splits the command. */
function* unquotedFolder(file: SkillFile, handler: YamlNode): Iterable<Draft> {
  const node = findValue(handler, 'command');
  const command = stringOf(node);
  if (node?.kind !== 'scalar' || command === undefined || findEntry(handler, 'args')) return;
  const quoted = quoteFolders(command);
  if (quoted === command) return;
  let from = 0;
  while (quoted[from] === command[from]) from++;
  const name = /CLAUDE_PLUGIN_\w+/.exec(command.slice(from))?.[0] ?? '';
  yield {
    span: node.span,
    severity: 'hint',
    message: `\`\${${name}}\` without quotes: a space in the path splits the command. Put it in double quotes.`,
    fixes: fixHere(file, 'Put the folder in quotes', [{ span: node.span, newText: JSON.stringify(quoted) }]),
  };
}

/** Puts the variables with a folder of a plugin that a shell command has outside of quotes in quotes. */
const quoteFolders = (command: string): string =>
  command.replace(
    /'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\\[\s\S]|\$(?:\{CLAUDE_PLUGIN_(?:ROOT|DATA)\}|CLAUDE_PLUGIN_(?:ROOT|DATA)\b)/g,
    (part) => (part.startsWith('$') ? `"${part}"` : part),
  );

// Extensions.

function* extensionDrafts(file: SkillFile, format: ManifestFormat, root: YamlMap): Iterable<Draft> {
  const { id, name: client } = format.client ?? { id: '', name: 'The client' };
  const loss: readonly [Severity, string] = ['error', lossOf(format, 'file')];
  const losses: Losses = {
    'not-loaded': loss,
    'not-installed': loss,
    refused: loss,
    'not-listed': loss,
    doubted: loss,
  };
  yield* nameDraft(file, findValue(root, 'name'), (name) => extensionNameFault(id, name), losses);
  const version = findValue(root, 'version');
  if (version && stringOf(version) === '') {
    yield { span: version.span, message: `The version is empty. ${lossOf(format, 'file')}` };
  } else if (version?.kind === 'scalar' && id === 'gemini-cli' && !isNull(version)) {
    const problem = strictSemverProblem(String(version.value));
    if (problem) yield { span: version.span, severity: 'hint', message: problem.message };
  }
  const context = findValue(root, 'contextFileName');
  for (const node of context?.kind === 'list' ? context.items : context ? [context] : []) {
    const path = stringOf(node);
    if (path === undefined || path === '') continue;
    if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(path)) {
      yield {
        span: node.span,
        severity: 'warning',
        message: `\`contextFileName\` must be a file of the extension. ${client} does not read it.`,
      };
    }
  }
}
