/** The problems with keys and values of a manifest, sorted by their effect (docs/format.md, section 9, "Plugins"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import { mapEntries, type YamlEntry, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, type TextEdit } from '../../text.ts';
import { checkShape, type ShapeProblem } from '../../vocabulary/check-shape.ts';
import { isHooksFile } from '../../vocabulary/dialect.ts';
import { IGNORED, INVALID } from '../../vocabulary/manifests/claude-code.ts';
import {
  claudeManifestIn,
  type ManifestFormat,
  manifestFormatOf,
  pluginRootOf,
} from '../../vocabulary/manifests/formats.ts';

/**
 * Returns the format of a manifest if its client is a target; undefined for a file with hooks that belongs to no plugin
 * of Claude Code.
 */
export function formatOf(file: SkillFile, analysis: Analysis): ManifestFormat | undefined {
  const format = manifestFormatOf(file.uri);
  if (!format || (isHooksFile(file.uri) && !isHooksOfPlugin(file, analysis))) return undefined;
  const { clients, isChosen } = targetsBeside(analysis, file.uri);
  const isTarget = !isChosen || !format.client || clients.some(({ id }) => id === format.client?.id);
  return isTarget ? format : undefined;
}

/** Returns whether the file with hooks is in the folder of a plugin of Claude Code. */
export const isHooksOfPlugin = ({ uri }: SkillFile, analysis: Analysis): boolean =>
  analysis.file(claudeManifestIn(pluginRootOf(uri))) !== undefined;

const problemsOf = (file: SkillFile): readonly ShapeProblem[] => {
  const { root } = file.frontmatter.tree;
  const keys = manifestFormatOf(file.uri)?.keys;
  return keys && root?.kind === 'map' ? checkShape(root, keys, true) : [];
};

/** Returns the problems for which a client refuses the file or a part of it. */
export const invalidProblems = (file: SkillFile): readonly ShapeProblem[] =>
  file.derive(problemsOf).filter(({ kind, rule }) => {
    if (kind === 'unknown-key') return rule === INVALID;
    return kind === 'missing-key' || rule !== IGNORED;
  });

/** Returns the problems with what a client ignores: unknown keys, and values of keys that may be missing. */
export const ignoredProblems = (file: SkillFile): readonly ShapeProblem[] =>
  file.derive(problemsOf).filter(({ kind, rule, depth }) => {
    if (kind === 'unknown-key') return rule === IGNORED || (rule === undefined && depth === 0);
    return kind === 'value' && rule === IGNORED;
  });

/** Returns the entry of a map that contains a span. */
export const entryAround = (map: YamlNode | undefined, place: Span): YamlEntry | undefined =>
  mapEntries(map).find(({ span }) => contains(span, place));

/** Returns the edits that add a key before the other keys of a JSON object, in the form of the others. */
export function insertFirst(text: string, map: YamlMap, key: string, json: string): readonly TextEdit[] {
  const [first] = map.entries;
  const at = map.span.start + 1;
  const written = `${JSON.stringify(key)}: ${json}`;
  if (!first) return [{ span: { start: at, end: at }, newText: written }];
  const gap = text.slice(at, first.key.span.start);
  return /^\s*$/.test(gap)
    ? [{ span: { start: at, end: at }, newText: `${gap}${written},${gap === '' ? ' ' : ''}` }]
    : [];
}
