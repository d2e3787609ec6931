/** The types of values in templates, for features. */
import type { ReceiverPath } from '../../languages/minijinja/cursor.ts';
import type { Variable } from '../../languages/minijinja/scope-model.ts';
import {
  ANY,
  isAny,
  isOnly,
  itemOf,
  unionOf,
  type ValueType,
  without,
} from '../../languages/minijinja/types/value-type.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { type ParsedTemplate, parseAt } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { templateTypes, typesOfNames } from '../../skill/template-types.ts';
import { contains, findTouching, type Span, shift, spanOf } from '../../text.ts';

type Segment = ReceiverPath['segments'][number];

/**
 * Returns the type of a name followed by a path; undefined if it is unknown. `names` are the types of the names that no
 * variable defines. Spans are offsets in the file.
 */
export function valueAt(
  file: SkillFile,
  name: string,
  variable: Variable | undefined,
  segments: readonly Pick<Segment, 'kind' | 'name'>[],
  names = typesOfNames(file),
): ValueType | undefined {
  const base = variable ? typeOfVariable(file, variable) : names.get(name);
  const type = segments.reduce<ValueType>((value, segment) => stepInto(value, segment), base ?? ANY);
  return isAny(type) && type.label === undefined ? undefined : type;
}

function stepInto(type: ValueType, { kind, name }: Pick<Segment, 'kind' | 'name'>): ValueType {
  const defined = without(type, 'undefined', 'null');
  if (kind !== 'index') return defined.map?.field(name) ?? ANY;
  const item = isOnly(defined, 'list') ? defined.list?.tuple?.at(Number(name)) : undefined;
  return item?.() ?? (isOnly(defined, 'list') ? itemOf(defined) : ANY);
}

function typeOfVariable(file: SkillFile, { definitions }: Variable): ValueType {
  const types = definitions.map(({ span }) => typeInFile(file, span));
  const known = types.filter((type) => type !== undefined);
  return known.length === 0 ? ANY : unionOf(known);
}

/** Returns the type of the expression with a span in the file. */
function typeInFile(file: SkillFile, place: Span): ValueType | undefined {
  const at = file.templates.findIndex(({ span }) => contains(span, place));
  const start = file.templates[at]?.span.start ?? 0;
  return templateTypes(file).templates[at]?.typeAt(shift(place, -start));
}

/** Returns the type of the value before a field or a filter whose name begins at an offset in the file. */
export function inputAt(file: SkillFile, offset: number): ValueType | undefined {
  const at = file.templates.findIndex(({ span }) => span.start <= offset && offset <= span.end);
  const start = file.templates[at]?.span.start ?? 0;
  return templateTypes(file).templates[at]?.inputAt(offset - start);
}

/** Returns the field of the input schema that declares a value. */
export const declarationOf = ({ source }: ValueType): SchemaField | undefined => source as SchemaField | undefined;

/** Returns the constants that a schema allows; true and false for a boolean. */
export function allowedValues(json: { readonly [key: string]: Json }): readonly Json[] {
  if (Array.isArray(json.enum)) return json.enum as readonly Json[];
  if (json.const !== undefined) return [json.const];
  return json.type === 'boolean' ? [true, false] : [];
}

/**
 * Returns the template at an offset, also while its end is being typed. Spans in the result are offsets in the file.
 */
export function findTemplate(file: SkillFile, offset: number): ParsedTemplate | undefined {
  const here = findTouching(file.templates, offset, spanOf);
  return here ? here.inFile : withTrailingSpaces(file, offset);
}

/** Extends a template without a fence by the spaces after its last character, which the user is typing. */
function withTrailingSpaces({ text, templates }: SkillFile, offset: number): ParsedTemplate | undefined {
  const last = templates.findLast(({ span }) => span.end < offset);
  if (!last || last.artifact.template?.fence || offset > last.artifact.span.end) return undefined;
  const { start, end } = last.span;
  return /^[ \t]+$/.test(text.slice(end, offset)) ? parseAt(text.slice(start, offset), start) : undefined;
}
