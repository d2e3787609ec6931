import { removeFromList } from '../../analysis/removals.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { findValue, jsonOf, mapsByKeyOffset, type YamlEntry, type YamlMap } from '../../languages/yaml/node.ts';
import { findSkillEntry, itemsOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, type TextEdit } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';
import { valueProblems } from './shape-problems.ts';

/** The largest number of reported spellings, which is also the limit of the YAML parser for duplicate keys. */
const MAX_SPELLINGS = 100;

export const duplicateKey: Rule = {
  name: 'duplicate-key',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  readsTests: true,
  readsBroken: true,
  prevents: ['composition'],
  *check(file) {
    const { problems, root, broken } = file.frontmatter.tree;
    const duplicates = problems.filter(({ kind }) => kind === 'duplicate-key');
    const spellings = broken ? [] : valueProblems(file, 'duplicate-key').slice(0, MAX_SPELLINGS);
    const maps = duplicates.length + spellings.length > 0 ? mapsByKeyOffset(root) : new Map<number, YamlMap>();
    for (const { span, message, first } of duplicates) {
      const shown = file.dialect === 'agent-skill' ? clientMessage(file, span) : message;
      yield draftOf(file, maps.get(span.start), { span, message: shown, first });
    }
    for (const { span, message, first } of spellings)
      yield draftOf(file, maps.get(span.start), { span, message, first });
    if (file.dialect !== 'agent-skill' && !broken) yield* duplicateNames(file);
  },
};

/** Returns the message for a `SKILL.md`, which the parsers of clients may read in different ways. */
const clientMessage = ({ text }: SkillFile, key: Span): string =>
  `Duplicate key \`${sliceOf(text, key).slice(0, 100)}\`. Some clients reject it, others use the last value. Remove one of the two.`;

interface Duplicate {
  readonly span: Span;
  readonly message: string;
  readonly first: Span | undefined;
}

function draftOf(file: SkillFile, map: YamlMap | undefined, { span, message, first }: Duplicate): Draft {
  const entry = map?.entries.find(({ key }) => key.span.start === span.start);
  const original = map?.entries.find(({ key }) => key.span.start === first?.start);
  // In broken YAML, an entry may contain the lines of others.
  const isRemovable = map && entry && !file.frontmatter.tree.broken;
  const edits = isRemovable ? removeDuplicate(file.text, map, entry) : [];
  const same = entry && original && JSON.stringify(jsonOf(entry.value)) === JSON.stringify(jsonOf(original.value));
  return {
    span,
    message,
    ...(entry && map === file.frontmatter.tree.root && { about: [String(entry.key.value)] }),
    related: first ? [{ uri: file.uri, span: first, message: 'The first one is here.' }] : [],
    fixes: fixHere(file, 'Remove this entry', edits, same === true),
  };
}

/** The size of the largest map for which fixes are offered, because each fix visits the whole map. */
const MAX_ENTRIES = 2000;

/**
 * Removes `entry`, whose key is duplicate. Because `removeEntry` removes the first entry with the given key, this
 * function renames the key of all other entries in a copy of the map.
 */
function removeDuplicate(text: string, map: YamlMap, entry: YamlEntry): readonly TextEdit[] {
  if (map.entries.length > MAX_ENTRIES) return [];
  const name = String(entry.key.value);
  const entries = map.entries.map((other) => {
    if (String(other.key.value) !== name) return other;
    return { ...other, key: { ...other.key, value: other === entry ? name : null } };
  });
  return removeEntry(text, { ...map, entries }, name);
}

// Duplicate names in a list in a skill or in a catalog (docs/format.md, sections 2 and 6).

interface NameList {
  readonly key: string;
  readonly noun: string;
  /** The key that contains an item's name. */
  readonly under: string;
}

const IN_CATALOGS: readonly NameList[] = [
  { key: 'tools', noun: 'tool', under: 'name' },
  { key: 'profiles', noun: 'profile', under: 'name' },
  { key: 'interrupts', noun: 'interrupt', under: 'name' },
];

const IN_SKILLS: readonly NameList[] = [
  { key: 'tools', noun: 'tool', under: 'name' },
  { key: 'interrupts', noun: 'interrupt', under: 'name' },
  { key: 'errors', noun: 'error', under: 'code' },
  { key: 'examples', noun: 'example', under: 'name' },
  { key: 'surfaces', noun: 'surface', under: 'name' },
];

/** Reports a second declaration of a name, because only one declaration is used. */
function* duplicateNames(file: SkillFile): Iterable<Draft> {
  const { dialect, frontmatter, uri } = file;
  const { root } = frontmatter.tree;
  const isCatalog = dialect === 'catalog';
  for (const { key, noun, under } of isCatalog ? IN_CATALOGS : IN_SKILLS) {
    const list = isCatalog ? findValue(root, key) : findSkillEntry(root, key)?.value;
    const seen = new Map<string, { readonly span: Span; readonly json: string }>();
    for (const [{ name, span }, map] of itemsOf(list, under)) {
      // In a catalog, an item that is only a name is reported as a wrong value.
      if (isCatalog && !map) continue;
      const json = JSON.stringify(jsonOf(map));
      const first = seen.get(name);
      if (!first) {
        seen.set(name, { span, json });
        continue;
      }
      const isSame = first.json === json;
      yield {
        ...(isSame ? { severity: 'warning' as const } : {}),
        span,
        message: isSame
          ? `Duplicate ${noun} \`${name}\` with the same content. Remove one of the two.`
          : `Duplicate ${noun} \`${name}\`. Only ${isCatalog ? 'the last one' : 'one of the two'} is used: remove or rename one.`,
        related: [{ uri, span: first.span, message: 'The first one is here.' }],
        fixes: removeFromList(file, key, span, 'Remove this entry', isSame),
      };
    }
  }
}
