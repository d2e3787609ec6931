/** The call hierarchy of skills: a composite calls the skills that it composes. */
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  SymbolKind,
  SymbolTag,
} from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, span } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { composersOf } from '../../workspace/composition-lookups.ts';
import { facts } from '../hover/describe.ts';
import type { Locate } from '../locate.ts';
import { symbolAt } from '../symbol/symbol.ts';

/** The keys that represent the skill of the file. */
const OWN_KEYS: readonly string[] = ['name', 'level', 'composes'];

/** Returns the skill to which the name or the key at an offset refers; otherwise null. */
export function prepareCallHierarchy(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
): CallHierarchyItem[] | null {
  const found = skillAt(analysis, file, offset);
  return found ? [itemOf(found, locate)] : null;
}

function skillAt(analysis: Analysis, file: SkillFile, offset: number): SkillFile | undefined {
  const symbol = symbolAt(file, offset);
  if (symbol?.kind === 'key') return OWN_KEYS.includes(symbol.key.name) ? file : undefined;
  if (symbol?.kind !== 'name') return undefined;
  const { name } = file.contract;
  if (name && contains(name.span, symbol.span)) return file;
  if (symbol.domain === 'skill') return analysis.resolveSkill(file, symbol.name);
  const step = file.contract.composes.find((entry) => symbol.domain === 'step' && entry.step === symbol.name);
  return step && analysis.resolveSkill(file, step.name);
}

/** Returns the composites of a skill, with the ranges of the `composes` entries that name the skill. */
export function incomingCalls(analysis: Analysis, uri: string, locate: Locate): CallHierarchyIncomingCall[] {
  const skill = analysis.graph.skills.get(uri);
  if (!skill) return [];
  return composersOf(analysis.graph, skill).flatMap((composer) => {
    const file = analysis.file(composer.uri);
    if (!file) return [];
    const entries = file.contract.composes.filter(({ name }) => name === skill.summary.name);
    return [{ from: itemOf(file, locate), fromRanges: rangesOf(file, entries, locate) }];
  });
}

/** Returns the skills that a skill composes, with the ranges of the `composes` entries. */
export function outgoingCalls(analysis: Analysis, uri: string, locate: Locate): CallHierarchyOutgoingCall[] {
  const skill = analysis.graph.skills.get(uri);
  const file = analysis.file(uri);
  if (!skill || !file) return [];
  const entries = new Map<string, number[]>();
  for (const { skill: composed, entry } of analysis.graph.composedSkillsOf(skill)) {
    entries.set(composed.uri, [...(entries.get(composed.uri) ?? []), entry]);
  }
  return [...entries].flatMap(([part, at]) => {
    const to = analysis.file(part);
    const named = at.flatMap((entry) => file.contract.composes[entry] ?? []);
    return to ? [{ to: itemOf(to, locate), fromRanges: rangesOf(file, named, locate) }] : [];
  });
}

const rangesOf = (file: SkillFile, places: readonly { readonly span: Span }[], locate: Locate) =>
  places.map((place) => locate.range(file, place.span));

function itemOf(file: SkillFile, locate: Locate): CallHierarchyItem {
  const { uri, contract, frontmatter, summary } = file;
  const selection = contract.name?.span ?? span(frontmatter.content.start, frontmatter.content.start);
  return {
    name: summary.name ?? nameFromUri(uri),
    kind: SymbolKind.Function,
    detail: facts(summary.version, summary.level !== undefined && `level ${summary.level}`),
    uri,
    range: locate.range(file, contains(frontmatter.content, selection) ? frontmatter.content : selection),
    selectionRange: locate.range(file, selection),
    ...(summary.deprecated ? { tags: [SymbolTag.Deprecated] } : {}),
  };
}
