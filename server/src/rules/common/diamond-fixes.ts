/** Ways out of a diamond: the shared skill runs once, where the two ways meet (composability specification, section 2.3). */
import type { FileEdits, Fix } from '../../finding.ts';
import { formatScalar, setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { removeEntry } from '../../languages/yaml/remove.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillDocument } from '../../skill/document.ts';
import { lineBreakOf, sliceOf, type TextEdit } from '../../text.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import type { Diamond } from '../../workspace/shared-parts.ts';
import type { IndexedSkill, WorkspaceIndex } from '../../workspace/workspace-index.ts';
import { fixIn } from '../rule.ts';
import { removePart } from './remove-part.ts';

/** What a part then lacks of its inputs is reported there, with its own fixes. */
export function fixesOfDiamond(
  index: WorkspaceIndex,
  document: SkillDocument,
  root: IndexedSkill,
  { shared, composers }: Diamond,
): readonly Fix[] {
  const { name } = shared.summary;
  if (name === undefined) return [];
  const own = composers.some(({ uri }) => uri === root.uri);
  const others = composers.filter(({ uri }) => uri !== root.uri);
  const freed = others.map((composer) => withoutPart(index.documents.get(composer.uri), name));
  const added = own ? [] : addPart(index, document, root, shared);
  return [
    ...(freed.every((files) => files.length > 0) && (own || added.length > 0)
      ? [fixIn(`Compose \`${name}\` in this skill alone`, [...added, ...freed.flat()])]
      : []),
    ...(own ? leaveToOthers(document, name) : []),
  ];
}

function leaveToOthers(document: SkillDocument, name: string): readonly Fix[] {
  const entry = onlyEntry(document, name);
  return entry ? removePart(document, entry, `Remove \`${name}\` from \`composes\` of this skill`) : [];
}

const onlyEntry = ({ contract }: SkillDocument, name: string): ComposesEntry | undefined => {
  const entries = contract.composes.filter((entry) => entry.name === name);
  return entries.length === 1 ? entries[0] : undefined;
};

/** The edits that take a part out of a composite; one that had no other becomes atomic. */
function withoutPart(document: SkillDocument | undefined, name: string): readonly FileEdits[] {
  const entry = document && onlyEntry(document, name);
  if (!entry) return [];
  if (document.contract.composes.length > 1) return removePart(document, entry, '').flatMap(({ edits }) => edits);
  const { root } = document.frontmatter.tree;
  const level = findValue(root, 'level');
  if (root?.kind !== 'map' || level?.kind !== 'scalar' || findSkillEntry(root, 'execution')) return [];
  const removed = removeEntry(document.text, root, 'composes');
  if (removed.length === 0) return [];
  return [{ uri: document.uri, edits: [...setScalar(document.text, level, 1), ...removed] }];
}

/** The edits that compose the shared skill before all others, so that its outputs are there for who needed it. */
function addPart(
  { graph }: WorkspaceIndex,
  document: SkillDocument,
  root: IndexedSkill,
  shared: IndexedSkill,
): readonly FileEdits[] {
  const { name } = shared.summary;
  const list = findSkillEntry(document.frontmatter.tree.root, 'composes')?.value;
  // With an execution block nobody but its author knows where one more step belongs.
  if (name === undefined || list?.kind !== 'list' || root.summary.execution) return [];
  if (resolveSummary(graph, root.summary, name)?.uri !== shared.uri) return [];
  const [item] = list.items;
  if (!item || /[&*]/.test(sliceOf(document.text, list.span))) return [];
  const edits = insertBefore(document, item.span.start, list.flow, formatScalar(name, true));
  return edits.length > 0 ? [{ uri: document.uri, edits }] : [];
}

function insertBefore({ text }: SkillDocument, at: number, flow: boolean, item: string): readonly TextEdit[] {
  if (flow) return [{ span: { start: at, end: at }, newText: `${item}, ` }];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (!/^ *- +$/.test(line)) return [];
  const start = at - line.length;
  return [{ span: { start, end: start }, newText: `${line}${item}${lineBreakOf(text)}` }];
}
