/** What stands at a place where data flows between steps: mappings, inputs, references. */
import { findValue, nodeAt, stringOf } from '../../languages/yaml/node.ts';
import { sourceSpans, valueOffset } from '../../languages/yaml/source-spans.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, touches } from '../../text.ts';
import { type ScalarPlace, textOf } from './scalar-place.ts';
import type { FieldOwner, SkillSymbol } from './skill-symbol.ts';

export function symbolInFlow(file: SkillFile, place: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { path, role, scalar } = place;
  const { root } = file.frontmatter.tree;
  const field = (owner: FieldOwner, span: Span, names: readonly string[]): SkillSymbol => ({
    kind: 'field',
    span,
    owner,
    path: names,
  });
  if (path[0] === 'composes' && path.length === 4 && (path[2] === 'input_mapping' || path[2] === 'output_mapping')) {
    const skill = stringOf(findValue(nodeAt(root, path.slice(0, 2)), 'skill'));
    const side = path[2] === 'input_mapping' ? 'input' : 'output';
    // One side of a mapping names values of the flow, the other fields of the composed skill.
    const isOwn = (side === 'input') === (role === 'key');
    if (!isOwn && skill === undefined) return undefined;
    return field(isOwn ? { kind: 'self', side } : { kind: 'skill', name: skill ?? '', side }, scalar.span, [
      textOf(scalar),
    ]);
  }
  if (path[0] !== 'execution' || findSkillEntry(root, 'execution') === undefined) return undefined;
  const inputs = path.lastIndexOf('inputs');
  if (role === 'key') {
    if (inputs < 0 || inputs !== path.length - 2) return undefined;
    const name = skillOfStep(file, stringOf(findValue(nodeAt(root, path.slice(0, inputs)), 'step')));
    return name === undefined
      ? undefined
      : field({ kind: 'skill', name, side: 'input' }, scalar.span, [textOf(scalar)]);
  }
  return inputs >= 0 || path.at(-1) === 'condition' || path.at(-1) === 'keep_when'
    ? symbolOfReference(file, place, offset)
    : undefined;
}

const skillOfStep = ({ contract }: SkillFile, step: string | undefined): string | undefined =>
  contract.composes.find((entry) => entry.step === step)?.name;

const REFERENCE = /\$([A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*)*)/g;

/** `$input.x`, `$step.output.x`: the name of the step, or the field behind it. */
function symbolOfReference(file: SkillFile, { scalar }: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { text } = file;
  if (typeof scalar.value !== 'string' || valueOffset(text, scalar, offset) === undefined) return undefined;
  const placeOf = sourceSpans(text, scalar);
  for (const match of scalar.value.matchAll(REFERENCE)) {
    const span = placeOf(match.index, match.index + match[0].length);
    if (!touches(span, offset)) continue;
    const [, source = '', rest = ''] = match;
    const path = rest.split('.').slice(1);
    const step = placeOf(match.index + 1, match.index + 1 + source.length);
    const name = skillOfStep(file, source);
    if (source === 'input') {
      if (path.length === 0) return undefined;
    } else if (offset <= step.end || path.length < 2 || name === undefined) {
      return { kind: 'name', span: step, domain: 'step', name: source };
    }
    const owner: FieldOwner =
      source === 'input' ? { kind: 'self', side: 'input' } : { kind: 'skill', name: name ?? '', side: 'output' };
    // `output` itself is no field.
    const first = source === 'input' ? 0 : 1;
    let from = match.index + 1 + source.length;
    for (const [i, part] of path.entries()) {
      const nameSpan = placeOf(from + 1, from + 1 + part.length);
      from += 1 + part.length;
      const isLast = i === path.length - 1;
      if (i < first || (offset > nameSpan.end && !isLast)) continue;
      return { kind: 'field', span: isLast ? span : nameSpan, nameSpan, owner, path: path.slice(first, i + 1) };
    }
  }
  return undefined;
}

const PLACEHOLDER = /\{\s*([A-Za-z_][\w-]*(?:\.\w[\w-]*)*)\s*\}/g;

/** The inputs that an idempotency key is made of, `{title_id}:{locale}` (docs/format.md, section 6). */
export function symbolInKeyTemplate(
  { text }: SkillFile,
  { scalar }: ScalarPlace,
  offset: number,
): SkillSymbol | undefined {
  if (typeof scalar.value !== 'string') return undefined;
  const placeOf = sourceSpans(text, scalar);
  for (const match of scalar.value.matchAll(PLACEHOLDER)) {
    const path = (match[1] ?? '').split('.');
    let from = match.index + match[0].indexOf(match[1] ?? '');
    for (const [i, part] of path.entries()) {
      const place = placeOf(from, from + part.length);
      from += part.length + 1;
      if (!touches(place, offset)) continue;
      return { kind: 'field', span: place, owner: { kind: 'self', side: 'input' }, path: path.slice(0, i + 1) };
    }
  }
  return undefined;
}
