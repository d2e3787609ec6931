/** A list of values that a field may have, the shorthand for an enumeration (docs/format.md, section 3). */
import { type Json, jsonOf, type YamlList } from '../../yaml/node.ts';
import type { JsonObject, SchemaProblem } from '../model.ts';
import type { ParseState } from '../parse-state.ts';
import { duplicates, replaceWith } from '../problems.ts';
import { findTypeWord } from './type-words.ts';

/** A list of constants as an enumeration, with the type that they share. */
export function readConstants(list: YamlList, state: ParseState): JsonObject {
  const values = list.items.map(jsonOf);
  state.problems.push(...checkConstants(list));
  const [only] = list.items;
  if (
    values.length > 0 &&
    list.items.every((item) => item.kind === 'scalar' && item.style === 'plain' && findTypeWord(String(item.value)))
  ) {
    const single = values.length === 1 && only;
    const word = String(values[0]);
    state.problems.push({
      span: list.span,
      severity: 'hint',
      message: single
        ? `This allows only the text \`${word}\`. A list of that type is written \`${word}[]\`.`
        : 'This allows only these texts. For one of several types write a map with `anyOf`.',
      ...(single && { fix: replaceWith(`${word}[]`, list.span, `'${word}[]'`) }),
    });
  }
  const type = commonType(values);
  return { ...(type && { type }), enum: values };
}

/** A list without values, with one twice, or with one that is no constant. */
export function checkConstants(list: YamlList): readonly SchemaProblem[] {
  if (list.items.length === 0) {
    return [
      { span: list.span, message: 'An empty list of values allows nothing. Name at least one value, or a type.' },
    ];
  }
  const scalars = list.items.filter((item) => item.kind === 'scalar');
  const others = list.items.filter((item) => item.kind !== 'scalar');
  const message = 'A list here names the values that are allowed, each a text, a number, `true`, `false` or `null`.';
  return [...others.map(({ span }) => ({ span, message })), ...duplicates(scalars)];
}

function commonType(values: readonly Json[]): string | undefined {
  const types = new Set(values.map(typeOfConstant));
  const [only] = types;
  if (types.size === 1) return only;
  return types.size === 2 && types.has('integer') && types.has('number') ? 'number' : undefined;
}

function typeOfConstant(value: Json): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number')
    return Number.isInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : undefined;
  return typeof value === 'object' ? undefined : typeof value;
}
