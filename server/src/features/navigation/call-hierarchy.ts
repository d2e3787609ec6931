/** The editor's call hierarchy for skills: who composes a skill is who calls it. */
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  SymbolKind,
  SymbolTag,
} from 'vscode-languageserver-types';
import type { SkillDocument } from '../../skill/document.ts';
import { contains, type Span, span } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { composersOf, partsOf } from '../../workspace/composing.ts';
import { resolveSkill } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill, WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';
import { symbolAt } from '../symbol/symbol.ts';

/** The keys of a frontmatter that are about the skill as a member of compositions. */
const OWN_KEYS: readonly string[] = ['name', 'level', 'composes'];

/** The skill that is named at the place; on the keys of a composition the file's own. Null elsewhere. */
export function prepareCallHierarchy(
  index: WorkspaceIndex,
  document: SkillDocument,
  offset: number,
  locate: Locate,
): CallHierarchyItem[] | null {
  const found = skillAt(index, document, offset);
  return found ? [itemOf(found, locate)] : null;
}

function skillAt(index: WorkspaceIndex, document: SkillDocument, offset: number): SkillDocument | undefined {
  const symbol = symbolAt(document, offset);
  if (symbol?.kind === 'key') return OWN_KEYS.includes(symbol.key.name) ? document : undefined;
  if (symbol?.kind !== 'name') return undefined;
  const { name } = document.contract;
  if (name && contains(name.span, symbol.span)) return document;
  if (symbol.domain === 'skill') return resolveSkill(index, document, symbol.name);
  const step = document.contract.composes.find((entry) => symbol.domain === 'step' && entry.step === symbol.name);
  return step && resolveSkill(index, document, step.name);
}

/** Each skill that composes this one, at the entries that name it; none for what is no skill any more. */
export function incomingCalls(index: WorkspaceIndex, uri: string, locate: Locate): CallHierarchyIncomingCall[] {
  const skill = index.graph.skills.get(uri);
  if (!skill) return [];
  return composersOf(index.graph, skill).flatMap((composer) => {
    const document = index.documents.get(composer.uri);
    if (!document) return [];
    const entries = document.contract.composes.filter(({ name }) => name === skill.summary.name);
    return [{ from: itemOf(document, locate), fromRanges: rangesOf(document, entries, locate) }];
  });
}

/** Each skill that this one composes, at its entries. */
export function outgoingCalls(index: WorkspaceIndex, uri: string, locate: Locate): CallHierarchyOutgoingCall[] {
  const skill = index.graph.skills.get(uri);
  const document = index.documents.get(uri);
  if (!skill || !document) return [];
  const entries = new Map<string, number[]>();
  for (const { skill: part, entry } of partsOf(index.graph, skill)) {
    entries.set(part.uri, [...(entries.get(part.uri) ?? []), entry]);
  }
  return [...entries].flatMap(([part, at]) => {
    const to = index.documents.get(part);
    const named = at.flatMap((entry) => document.contract.composes[entry] ?? []);
    return to ? [{ to: itemOf(to, locate), fromRanges: rangesOf(document, named, locate) }] : [];
  });
}

const rangesOf = (document: SkillDocument, places: readonly { readonly span: Span }[], locate: Locate) =>
  places.map((place) => locate.range(document, place.span));

function itemOf(document: SkillDocument, locate: Locate): CallHierarchyItem {
  const { uri, contract, frontmatter, summary } = document;
  const selection = contract.name?.span ?? span(frontmatter.content.start, frontmatter.content.start);
  return {
    name: summary.name ?? nameFromUri(uri),
    kind: SymbolKind.Function,
    detail: detailOf(summary),
    uri,
    range: locate.range(document, contains(frontmatter.content, selection) ? frontmatter.content : selection),
    selectionRange: locate.range(document, selection),
    ...(summary.deprecated ? { tags: [SymbolTag.Deprecated] } : {}),
  };
}

const detailOf = ({ version, level }: IndexedSkill['summary']): string =>
  [version, level !== undefined && `level ${level}`].filter((part) => typeof part === 'string').join(' · ');
