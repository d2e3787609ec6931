/** Converts JSON to YAML text and to YAML nodes. */
import { span } from '../../text.ts';
import type { Json, YamlNode } from '../yaml/node.ts';
import { isList, isObject } from './model.ts';

/**
 * Returns a value as YAML in block style, indented by two spaces per level and without a final line break. Short lists
 * of scalars and empty collections are in flow style.
 */
export function printYaml(json: Json, indent = ''): string {
  if (isList(json))
    return isFlow(json) ? inline(json) : json.map((item) => `${indent}- ${nested(item, `${indent}  `)}`).join('\n');
  if (!isObject(json) || Object.keys(json).length === 0) return inline(json);
  const lines = Object.entries(json).map(([key, value]) => {
    const isBlock = (isObject(value) && Object.keys(value).length > 0) || (isList(value) && !isFlow(value));
    const text = isBlock ? `\n${printYaml(value, `${indent}  `)}` : ` ${inline(value)}`;
    return `${indent}${printText(key)}:${text}`;
  });
  return lines.join('\n');
}

/** Returns a value as YAML text for the position after `- `. */
const nested = (json: Json, indent: string): string => printYaml(json, indent).trimStart();

const isFlow = (list: readonly Json[]): boolean =>
  list.every((item) => typeof item !== 'object' || item === null) && inline(list).length <= 80;

function inline(json: Json): string {
  if (isList(json)) return `[${json.map(inline).join(', ')}]`;
  if (isObject(json))
    return `{${Object.entries(json)
      .map(([key, value]) => `${printText(key)}: ${inline(value)}`)
      .join(', ')}}`;
  if (typeof json === 'string') return printText(json);
  if (typeof json !== 'number' || Number.isFinite(json)) return JSON.stringify(json);
  return Number.isNaN(json) ? '.nan' : json > 0 ? '.inf' : '-.inf';
}

/** Words that YAML does not read as text. */
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|~|\.nan|[-+]?\.inf|[-+.]?\d.*|0[xo].*)$/i;

/** Returns a string as a YAML scalar. Omits double quotes only if every YAML parser reads the bare scalar as text. */
export function printText(text: string): string {
  const plain = /^[\p{L}$_/][\p{L}\p{N} $_./()-]*$/u.test(text) && !text.endsWith(' ') && !NO_TEXT.test(text);
  return plain ? text : JSON.stringify(text);
}

const NOWHERE = span(0, 0);

/** Returns a YAML node with empty spans for a value that is not in a file. */
export function toNode(json: Json): YamlNode {
  if (Array.isArray(json)) return { kind: 'list', span: NOWHERE, flow: true, items: json.map(toNode) };
  if (typeof json === 'object' && json !== null) {
    const entries = Object.entries(json).map(([key, value]) => ({
      key: scalar(key),
      value: toNode(value),
      span: NOWHERE,
    }));
    return { kind: 'map', span: NOWHERE, flow: true, entries };
  }
  return scalar(json as string | number | boolean | null);
}

const scalar = (value: string | number | boolean | null): YamlNode & { kind: 'scalar' } => ({
  kind: 'scalar',
  span: NOWHERE,
  value,
  style: 'plain',
  source: String(value),
});
