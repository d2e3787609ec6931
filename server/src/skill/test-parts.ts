/** Finds the parts of a skill file that are tests: its samples, examples and routing cases (docs/testing.md). */
import { findValue, listItems, type YamlEntry, type YamlNode } from '../languages/yaml/node.ts';
import { contains, type Span, span } from '../text.ts';
import { keysMeant } from '../vocabulary/shape.ts';
import { skillKeys } from '../vocabulary/skill-keys.ts';
import { findSkillEntry, namedOf } from './contract.ts';
import { SkillFile } from './skill-file.ts';

/** A part of a file that is a test or contains tests. */
export interface TestPart {
  readonly kind: 'sample' | 'example' | 'routing';
  /** The name of the sample or the example, or the key that contains the tests, such as `samples`. */
  readonly name: string;
  readonly span: Span;
  /** True for a key that contains tests, with any names. */
  readonly isWhole: boolean;
}

const KEYS = [
  { key: 'samples', kind: 'sample' },
  { key: 'examples', kind: 'example' },
  { key: 'routing', kind: 'routing' },
] as const;

/**
 * Returns the parts of a file that are tests or contain tests, also those that cannot be read. A key that misspells a
 * key for tests counts as this key. A part comes after the part that contains it. Never throws.
 */
export function testParts(file: SkillFile): readonly TestPart[] {
  const { root } = file.frontmatter.tree;
  const entries = root?.kind === 'map' ? root.entries : [];
  return [...entries.flatMap((entry) => partsIn(file, entry)), ...examplesInBody(file)];
}

function partsIn(file: SkillFile, entry: YamlEntry): readonly TestPart[] {
  const written = String(entry.key.value);
  const found = KEYS.find(({ key }) => findSkillEntry(file.frontmatter.tree.root, key) === entry || key === written);
  const meant = found ? [] : misspelt(file, written);
  const kind = (found ?? KEYS.find(({ key }) => meant[0] === key))?.kind;
  if (!kind || (file.dialect === 'agent-skill' && isOfOthers(kind, entry.value))) return [];
  const whole = { kind, name: written, span: entry.span, isWhole: true };
  if (meant.length > 0) return [whole];
  return [whole, ...(kind === 'sample' ? samplesIn(entry.value) : kind === 'example' ? examplesIn(entry.value) : [])];
}

/** Returns the keys that an unknown top-level key may mean. In a `SKILL.md`, other programs define further keys. */
const misspelt = ({ dialect }: SkillFile, name: string): readonly string[] =>
  dialect === 'agent-skill' || skillKeys.some((spec) => spec.name === name || spec.aliases?.includes(name))
    ? []
    : keysMeant(name, skillKeys);

/** Returns whether a key of a `SKILL.md` may belong to another program, because its value has another form. */
const isOfOthers = (kind: TestPart['kind'], value: YamlNode): boolean => kind === 'example' || value.kind !== 'map';

const samplesIn = (value: YamlNode): readonly TestPart[] =>
  value.kind !== 'map'
    ? []
    : value.entries.map(({ key, span: place }) => ({
        ...{ kind: 'sample' as const, name: String(key.value) },
        ...{ span: place, isWhole: false },
      }));

const examplesIn = (value: YamlNode): readonly TestPart[] =>
  listItems(value).map((item, at) => ({
    kind: 'example',
    name: namedOf(findValue(item, 'name'))?.name ?? `example ${at + 1}`,
    span: item.span,
    isWhole: false,
  }));

/** Returns the Examples of the body, and sections whose heading nearly begins an Example. */
function examplesInBody(file: SkillFile): readonly TestPart[] {
  // The body of a `SKILL.md` has no artifacts, so it is not parsed.
  if (file.dialect !== 'composer' || !file.body) return [];
  const { artifacts, nearKinds } = file.body;
  const read = artifacts.flatMap((artifact) =>
    artifact.kind === 'Example' ? [{ name: artifact.name, span: artifact.span }] : [],
  );
  const near = nearKinds.flatMap(({ kind, heading }) =>
    kind === 'Example'
      ? [{ name: file.text.slice(heading.textSpan.start, heading.textSpan.end), span: heading.span }]
      : [],
  );
  return [...read, ...near].map((one) => ({ ...one, kind: 'example', isWhole: false }));
}

/**
 * Returns the file whose vocabulary contains the keys of its tests: for a `SKILL.md`, which may have samples and routing
 * cases although its clients ignore them, a file of this project's format with the same text. Never throws.
 */
export const withTestKeys = (file: SkillFile): SkillFile =>
  file.dialect === 'agent-skill' ? new SkillFile(`${file.uri}/tests.skill.md`, file.text) : file;

/** Returns the innermost part that contains a span; undefined if no test contains it. */
export const testPartAt = (parts: readonly TestPart[], place: Span): TestPart | undefined =>
  parts.findLast((part) => contains(part.span, place));

/** Returns the span of the test for a part: the start of the part. */
export const startOfPart = ({ span: { start } }: TestPart): Span => span(start, start);
