/** What stands at a place where data flows between steps: mappings, inputs, references. */
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { sourceSpan, valueOffset } from '../skill/frontmatter.ts';
import { findValue, nodeAt, stringOf } from '../skill/yaml/node.ts';
import { type Span, touches } from '../text.ts';
import { type ScalarPlace, textOf } from './scalar-place.ts';
import type { FieldOwner, SkillSymbol } from './skill-symbol.ts';

export function symbolInFlow(document: SkillDocument, place: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { path, role, scalar } = place;
  const { root } = document.frontmatter.tree;
  const field = (owner: FieldOwner, span: Span, names: readonly string[]): SkillSymbol => ({
    kind: 'field',
    span,
    owner,
    path: names,
  });
  if (path[0] === 'composes' && path.length === 4 && (path[2] === 'input_mapping' || path[2] === 'output_mapping')) {
    const skill = stringOf(findValue(nodeAt(root, path.slice(0, 2)), 'skill'));
    const side = path[2] === 'input_mapping' ? 'input' : 'output';
    // One side of a mapping is the flow's, which begins with the skill's own input and ends with its output.
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
    const name = skillOfStep(document, stringOf(findValue(nodeAt(root, path.slice(0, inputs)), 'step')));
    return name === undefined
      ? undefined
      : field({ kind: 'skill', name, side: 'input' }, scalar.span, [textOf(scalar)]);
  }
  return inputs >= 0 || path.at(-1) === 'condition' ? symbolOfReference(document, place, offset) : undefined;
}

const skillOfStep = ({ contract }: SkillDocument, step: string | undefined): string | undefined =>
  contract.composes.find((entry) => entry.step === step)?.name;

const REFERENCE = /\$([A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*)*)/g;

/** `$input.x`, `$step.output.x`: on the step its name, behind it the field. */
function symbolOfReference(document: SkillDocument, { scalar }: ScalarPlace, offset: number): SkillSymbol | undefined {
  const { text } = document;
  if (typeof scalar.value !== 'string' || valueOffset(text, scalar, offset) === undefined) return undefined;
  for (const match of scalar.value.matchAll(REFERENCE)) {
    const span = sourceSpan(text, scalar, match.index, match.index + match[0].length);
    if (!touches(span, offset)) continue;
    const [, source = '', rest = ''] = match;
    const path = rest.split('.').slice(1);
    const step = sourceSpan(text, scalar, match.index + 1, match.index + 1 + source.length);
    if (source === 'input') {
      return path.length > 0 ? { kind: 'field', span, owner: { kind: 'self', side: 'input' }, path } : undefined;
    }
    const name = skillOfStep(document, source);
    if (offset <= step.end || path.length < 2 || name === undefined) {
      return { kind: 'name', span: step, domain: 'step', name: source };
    }
    return { kind: 'field', span, owner: { kind: 'skill', name, side: 'output' }, path: path.slice(1) };
  }
  return undefined;
}
