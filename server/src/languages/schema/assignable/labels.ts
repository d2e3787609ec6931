/** Types in words that tell two apart which differ in a bound or a format alone: `integer, at least 3`. */
import type { Json } from '../../yaml/node.ts';
import { counted } from '../judge-base.ts';
import { typeLabel } from '../label.ts';
import { isObject, type JsonObject, own } from '../model.ts';
import { refTarget } from '../walk.ts';

export function boundedLabel(schema: Json, root: JsonObject): string {
  const label = typeLabel(schema, root);
  if (!isObject(schema) || own(schema, 'const') !== undefined || own(schema, 'enum') !== undefined) return label;
  const target = refTarget(root, schema);
  const at = isObject(target) ? target : schema;
  const number = (keyword: string, words: (bound: number) => string): readonly string[] => {
    const bound = own(at, keyword);
    return typeof bound === 'number' ? [words(bound)] : [];
  };
  const format = own(at, 'format');
  const pattern = own(at, 'pattern');
  const bounds = [
    ...(typeof format === 'string' && label === 'string' ? [format] : []),
    ...number('minimum', (bound) => `at least ${bound}`),
    ...number('exclusiveMinimum', (bound) => `more than ${bound}`),
    ...number('maximum', (bound) => `at most ${bound}`),
    ...number('exclusiveMaximum', (bound) => `less than ${bound}`),
    ...number('minLength', (bound) => `at least ${counted(bound, 'character')}`),
    ...number('maxLength', (bound) => `at most ${counted(bound, 'character')}`),
    ...number('minItems', (bound) => `at least ${counted(bound, 'item')}`),
    ...number('maxItems', (bound) => `at most ${counted(bound, 'item')}`),
    ...(own(at, 'uniqueItems') === true ? ['no item twice'] : []),
    ...(typeof pattern === 'string' ? [pattern.length > 30 ? `${pattern.slice(0, 29)}…` : pattern] : []),
  ];
  return [label, ...bounds].join(', ');
}
