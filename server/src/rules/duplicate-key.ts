import type { Draft } from '../finding.ts';
import { findEntry, jsonOf, type YamlEntry, type YamlMap } from '../languages/yaml/node.ts';
import { mapsOfKeys } from '../languages/yaml/owner.ts';
import { removeEntry } from '../languages/yaml/remove.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Span, TextEdit } from '../text.ts';
import { duplicateNames } from './common/duplicate-names.ts';
import { valueProblems } from './common/shape-drafts.ts';
import { fixHere, type Rule } from './rule.ts';

/** As many as the YAML reader reports of its own; the first ones are the ones to mend. */
const MAX_SPELLINGS = 100;

export const duplicateKey: Rule = {
  name: 'duplicate-key',
  code: 'duplicate-key',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 2' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsBroken: true,
  readsHeadOnly: true,
  *check(_, document) {
    const { problems, root, broken } = document.frontmatter.tree;
    const duplicates = problems.filter(({ kind }) => kind === 'duplicate-key');
    const spellings = broken ? [] : valueProblems(document, 'duplicate-key').slice(0, MAX_SPELLINGS);
    const maps = duplicates.length + spellings.length > 0 ? mapsOfKeys(root) : new Map<number, YamlMap>();
    for (const { span, message, first } of duplicates) {
      yield draftOf(document, maps.get(span.start), { span, message, first });
    }
    for (const { span, message, key, depth } of spellings) {
      const map = maps.get(span.start);
      const first = depth === 0 ? findSkillEntry(root, key) : findEntry(map, key);
      // A spelling that stands twice itself has been reported as such.
      if (isRepeated(map, span)) continue;
      yield draftOf(document, map, { span, message, first: first?.key.span });
    }
    if (document.dialect === 'catalog' && !broken) yield* duplicateNames(document);
  },
};

function isRepeated(map: YamlMap | undefined, { start }: Span): boolean {
  const entry = map?.entries.find(({ key }) => key.span.start === start);
  return entry !== undefined && findEntry(map, String(entry.key.value)) !== entry;
}

interface Duplicate {
  readonly span: Span;
  readonly message: string;
  readonly first: Span | undefined;
}

function draftOf(document: SkillDocument, map: YamlMap | undefined, { span, message, first }: Duplicate): Draft {
  const entry = map?.entries.find(({ key }) => key.span.start === span.start);
  const original = map?.entries.find(({ key }) => key.span.start === first?.start);
  const edits = map && entry ? removeDuplicate(document.text, map, entry) : [];
  const same = entry && original && JSON.stringify(jsonOf(entry.value)) === JSON.stringify(jsonOf(original.value));
  return {
    span,
    message,
    related: first ? [{ uri: document.uri, span: first, message: 'It stands here first.' }] : [],
    fixes: edits.length > 0 ? [fixHere(document, 'Remove this entry', edits, same === true)] : [],
  };
}

/** Beyond this nobody wrote the map by hand, and finding the edits for each duplicate would take long. */
const MAX_ENTRIES = 2000;

/** Removing goes by key and takes the first one, so the others are hidden from it. */
function removeDuplicate(text: string, map: YamlMap, entry: YamlEntry): readonly TextEdit[] {
  if (map.entries.length > MAX_ENTRIES) return [];
  const name = String(entry.key.value);
  const entries = map.entries.map((other) => {
    if (String(other.key.value) !== name) return other;
    return { ...other, key: { ...other.key, value: other === entry ? name : null } };
  });
  return removeEntry(text, { ...map, entries }, name);
}
