/** Scalars held against a shape: choices, truth values, numbers and texts. */

import type { YamlScalar } from '../languages/yaml/node.ts';
import { nearestNames } from '../nearest.ts';
import type { Span } from '../text.ts';
import { checkFormat } from './formats.ts';
import type { Shape } from './shape.ts';
import type { ShapeMend } from './shape-problem.ts';
import { describe } from './shape-words.ts';

export interface Complaint {
  readonly message: string;
  readonly mends?: readonly ShapeMend[];
}

/**
 * What a scalar is said to be at fault for under one shape that takes scalars, in a message that names its `key`; undefined
 * where it fits.
 */
export function findComplaint(node: YamlScalar, shape: Shape, key: string): Complaint | undefined {
  const { value, source, span: place } = node;
  const replace = (newText: string, safe: boolean): ShapeMend => ({
    title: `Replace with \`${newText}\``,
    safe,
    edits: [{ span: place, newText }],
  });
  switch (shape.kind) {
    case 'choice': {
      if (shape.choices.some((choice) => choice.value === value)) return undefined;
      const names = shape.choices.map((choice) => String(choice.value));
      const written = String(value);
      const near = nearestNames(written, names);
      const sure = names.find((name) => name.toLowerCase() === written.toLowerCase());
      const list = names.map((name) => `\`${name}\``).join(', ');
      return {
        message: `\`${key}\` cannot be \`${source || written}\`; it is one of ${list}.`,
        mends: (sure ? [sure] : near).map((name) => replace(name, name === sure)),
      };
    }
    case 'boolean': {
      if (typeof value === 'boolean') return undefined;
      const meant = /^(yes|on|true)$/i.test(String(value))
        ? 'true'
        : /^(no|off|false)$/i.test(String(value))
          ? 'false'
          : undefined;
      return {
        message: `\`${key}\` must be \`true\` or \`false\`, but this is ${describe(node)}.`,
        ...(meant ? { mends: [replace(meant, true)] } : {}),
      };
    }
    case 'number': {
      if (typeof value !== 'number') {
        const digits = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? value : undefined;
        return {
          message: `\`${key}\` must be a number, but this is ${describe(node)}.`,
          ...(digits ? { mends: [replace(digits, true)] } : {}),
        };
      }
      if (!Number.isFinite(value)) return { message: `\`${key}\` must be a finite number.` };
      if (shape.integer && !Number.isInteger(value))
        return { message: `\`${key}\` must be a whole number, not ${value}.` };
      if (shape.min !== undefined && value < shape.min)
        return { message: `\`${key}\` must be at least ${shape.min}, not ${value}.` };
      if (shape.max !== undefined && value > shape.max)
        return { message: `\`${key}\` must be at most ${shape.max}, not ${value}.` };
      return undefined;
    }
    case 'string':
      return stringComplaint(node, shape, key);
    default:
      return undefined;
  }
}

function stringComplaint(node: YamlScalar, shape: Shape & { kind: 'string' }, key: string): Complaint | undefined {
  const { value, source, span: place } = node;
  // A version such as `1.0` is a number to YAML and text to its author: the format speaks, not the type.
  const written = typeof value === 'string' ? value : source;
  if (shape.format) {
    const complaint = checkFormat(written, shape.format, key);
    if (complaint || typeof value !== 'string') return complaint && formatComplaint(complaint, place);
  }
  if (typeof value !== 'string') {
    if (shape.format === 'condition') return undefined;
    const quoted = { title: 'Quote it', safe: true, edits: [{ span: place, newText: `"${source}"` }] };
    return { message: `\`${key}\` must be text, but this is ${describe(node)}. Quote it.`, mends: [quoted] };
  }
  if (shape.minLength !== undefined && written.trim().length < shape.minLength)
    return { message: `\`${key}\` must not be empty.` };
  // Characters are counted where there may be too many: a text has no more of them than UTF-16 units.
  if (shape.maxLength !== undefined && written.length > shape.maxLength) {
    const { length } = [...written];
    if (length > shape.maxLength) {
      return {
        message: `\`${key}\` has ${length} characters; at most ${shape.maxLength} are allowed. Shorten it by ${length - shape.maxLength}.`,
      };
    }
  }
  if (shape.pattern && !shape.pattern.test(written)) {
    return { message: `\`${written}\` does not fit \`${key}\`: expected ${shape.expected}.` };
  }
  return undefined;
}

const formatComplaint = (complaint: { message: string; suggestion?: string }, place: Span): Complaint => ({
  message: complaint.message,
  mends:
    complaint.suggestion === undefined
      ? []
      : [
          {
            title: `Replace with \`${complaint.suggestion}\``,
            safe: false,
            edits: [{ span: place, newText: complaint.suggestion }],
          },
        ],
});
