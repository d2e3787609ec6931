/** Ways out of a diamond: the shared skill runs once, where the two ways meet (docs/format.md, section 4). */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits, Fix } from '../../finding.ts';
import { formatScalar, setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { removeEntry } from '../../languages/yaml/remove.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, sliceOf, type TextEdit } from '../../text.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import type { Diamond } from '../../workspace/shared-parts.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { fixIn } from '../rule.ts';
import { removePart } from './remove-part.ts';

/** Inputs that a part then lacks are reported at that part, with fixes. */
export function fixesOfDiamond(
  analysis: Analysis,
  file: SkillFile,
  root: IndexedSkill,
  { shared, composers }: Diamond,
): readonly Fix[] {
  const { name } = shared.summary;
  if (name === undefined) return [];
  const own = composers.some(({ uri }) => uri === root.uri);
  const others = composers.filter(({ uri }) => uri !== root.uri);
  const freed = others.map((composer) => withoutPart(analysis.file(composer.uri), name));
  const added = own ? [] : addPart(analysis, file, root, shared);
  return [
    ...(freed.every((files) => files.length > 0) && (own || added.length > 0)
      ? fixIn(`Compose \`${name}\` in this skill alone`, [...added, ...freed.flat()])
      : []),
    ...(own ? leaveToOthers(file, name) : []),
  ];
}

function leaveToOthers(file: SkillFile, name: string): readonly Fix[] {
  const entry = onlyEntry(file, name);
  return entry ? removePart(file, entry, `Remove \`${name}\` from \`composes\` of this skill`) : [];
}

const onlyEntry = ({ contract }: SkillFile, name: string): ComposesEntry | undefined => {
  const entries = contract.composes.filter((entry) => entry.name === name);
  return entries.length === 1 ? entries[0] : undefined;
};

/** The edits that take a part out of a composite; one that had no other becomes atomic. */
function withoutPart(file: SkillFile | undefined, name: string): readonly FileEdits[] {
  const entry = file && onlyEntry(file, name);
  if (!entry) return [];
  if (file.contract.composes.length > 1) return removePart(file, entry, '').flatMap(({ edits }) => edits);
  const { root } = file.frontmatter.tree;
  const level = findValue(root, 'level');
  if (root?.kind !== 'map' || level?.kind !== 'scalar' || findSkillEntry(root, 'execution')) return [];
  const removed = removeEntry(file.text, root, 'composes');
  if (removed.length === 0) return [];
  return [{ uri: file.uri, edits: [...setScalar(file.text, level, 1), ...removed] }];
}

/** The edits that compose the shared skill before all others, so that all others can use its outputs. */
function addPart({ graph }: Analysis, file: SkillFile, root: IndexedSkill, shared: IndexedSkill): readonly FileEdits[] {
  const { name } = shared.summary;
  const list = findSkillEntry(file.frontmatter.tree.root, 'composes')?.value;
  // Where a further step belongs in an execution block is not known.
  if (name === undefined || list?.kind !== 'list' || root.summary.execution) return [];
  if (resolveSummary(graph, root.summary, name)?.uri !== shared.uri) return [];
  const [item] = list.items;
  if (!item || /[&*]/.test(sliceOf(file.text, list.span))) return [];
  const edits = insertBefore(file, item.span.start, list.flow, formatScalar(name, true));
  return edits.length > 0 ? [{ uri: file.uri, edits }] : [];
}

function insertBefore({ text }: SkillFile, at: number, flow: boolean, item: string): readonly TextEdit[] {
  if (flow) return [{ span: { start: at, end: at }, newText: `${item}, ` }];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (!/^ *- +$/.test(line)) return [];
  const start = at - line.length;
  return [{ span: { start, end: start }, newText: `${line}${item}${lineBreakOf(text)}` }];
}
