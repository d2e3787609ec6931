import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, withShortTexts } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, listItems, stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import { didYouMean } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains } from '../../text.ts';
import type { ShapeProblem } from '../../vocabulary/check-shape.ts';
import { resolvePath } from '../../vocabulary/dialect.ts';
import { ENTRY_KEYS, GUARDING_EVENTS, HOOK_EVENTS } from '../../vocabulary/manifests/claude-code.ts';
import { claudeManifestIn, type ManifestFormat, pluginRootOf } from '../../vocabulary/manifests/formats.ts';
import { relatedOf } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { formatOf, ignoredProblems } from './shape.ts';

/** A key or a value of a manifest that its client ignores. */
export const ignoredPluginKey: Rule = {
  name: 'ignored-plugin-key',
  severity: 'hint',
  evidence: {
    kind: 'vendor',
    source: 'https://code.claude.com/docs/en/plugins-reference',
    checked: '2026-11-30',
  },
  dialects: ['plugin'],
  *check(file, analysis) {
    for (const draft of ignored(file, analysis)) yield withShortTexts(draft);
  },
};

function* ignored(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const format = formatOf(file, analysis);
  const { root } = file.frontmatter.tree;
  if (!format || root?.kind !== 'map') return;
  // `invalid-plugin-manifest` reports events without the outer key.
  if (format.kind === 'hooks' && !findEntry(root, 'hooks') && !findEntry(root, 'modules')) return;
  for (const problem of ignoredProblems(file)) {
    if (format.kind === 'hooks' && isNote(problem)) continue;
    const map = mapOf(root, problem);
    if (problem.kind === 'unknown-key') yield unknownKey(file, format, map, problem);
    else {
      const message = `${valueIn(problem)} ${actorOf(format)} the key.`;
      yield { span: problem.span, message, ...relatedOf(file, problem) };
    }
  }
  if (format.kind !== 'marketplace') return;
  for (const entry of listItems(findValue(root, 'plugins'))) yield* otherVersion(file, analysis, entry);
}

/** Returns whether a key beside the hooks is only a note of the author, or reported by `invalid-plugin-manifest`. */
const isNote = ({ kind, key, depth, meant = [] }: ShapeProblem): boolean =>
  kind === 'unknown-key' && depth === 0 && (GUARDING_EVENTS.has(key) || (meant.length === 0 && !HOOK_EVENTS.has(key)));

const actorOf = ({ client }: ManifestFormat): string => (client ? `${client.name} ignores` : 'Clients ignore');

const valueIn = ({ message }: ShapeProblem): string =>
  message.replace(/ Quote it\.$/, '').replace(/ is empty\. Add a value, or remove it\.$/, ' cannot be `null`.');

function unknownKey(file: SkillFile, format: ManifestFormat, map: YamlMap, problem: ShapeProblem): Draft {
  const { key, meant = [], span: place } = problem;
  // Renaming a key to an existing key would create a duplicate.
  const free = meant.filter((name) => !findEntry(map, name));
  const isOfEntry = format.kind === 'plugin' && ENTRY_KEYS.has(key);
  const isOfMetadata = format.kind === 'marketplace' && key === 'pluginRoot';
  const advice = isOfEntry
    ? ' It belongs in the entry of a `marketplace.json`.'
    : isOfMetadata
      ? ' It belongs in `metadata`.'
      : didYouMean(free) || (format.client ? '' : ' Keys of single clients belong in `extensions`.');
  const renamed = isOfEntry
    ? []
    : free.flatMap((name) => fixHere(file, `Rename to \`${name}\``, [{ span: place, newText: JSON.stringify(name) }]));
  return {
    span: place,
    message: `${actorOf(format)} the unknown key \`${key}\`.${advice}`,
    fixes: [...renamed, ...fixHere(file, `Remove the key \`${key}\``, removeEntry(file.text, map, key))],
  };
}

/** Returns the map with the key at the place of a problem. */
function mapOf(map: YamlMap, problem: ShapeProblem): YamlMap {
  for (const { key, value } of map.entries) {
    if (key.span === problem.span || !contains(value.span, problem.span)) continue;
    const below = value.kind === 'list' ? value.items.find((item) => contains(item.span, problem.span)) : value;
    if (below?.kind === 'map') return mapOf(below, problem);
  }
  return map;
}

/** Reports the version of an entry if the manifest of the plugin has another one. */
function* otherVersion(file: SkillFile, analysis: Analysis, entry: Parameters<typeof findEntry>[0]): Iterable<Draft> {
  const version = findEntry(entry, 'version');
  const source = stringOf(findValue(entry, 'source'));
  const written = stringOf(version?.value);
  if (!version || source === undefined || written === undefined || entry?.kind !== 'map') return;
  const manifest = analysis.file(claudeManifestIn(resolvePath(pluginRootOf(file.uri), source)));
  const node = findValue(manifest?.frontmatter.tree.root, 'version');
  const own = stringOf(node);
  if (!manifest || !node || own === undefined || own === '' || own === written) return;
  yield {
    span: version.value.span,
    message: `Claude Code ignores this version: the \`plugin.json\` of the plugin has \`${own}\`.`,
    related: [{ uri: manifest.uri, span: node.span, message: 'This version is used.' }],
    fixes: [
      ...fixHere(file, 'Remove the key `version`', removeEntry(file.text, entry, 'version')),
      ...fixHere(file, `Replace with \`${own}\``, [{ span: version.value.span, newText: JSON.stringify(own) }]),
    ],
  };
}
