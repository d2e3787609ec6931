/** The faults of an agent file in a client (docs/clients.md, "Agents"). */
import type { Cause } from '../matrix/causes.ts';
import { type FieldType, typeOf } from '../pipeline/fields.ts';
import type { FileReader } from '../pipeline/read.ts';
import { type Field, type FieldValue, isStop, type Reading } from '../pipeline/reading.ts';
import { firstOf, type Result } from '../pipeline/setting.ts';
import type { AgentClient, AgentEffect, AgentKey } from './agent-rules.ts';

/** A fault of an agent file, and what the client does because of it. */
export interface AgentFault {
  readonly cause: Cause;
  readonly effect: AgentEffect;
}

/**
 * Returns the faults of an agent file in a client: one for each key, or one for a frontmatter that the client cannot read.
 * Leaves out faults about which the readings of the client differ. Never throws.
 *
 * @param file the text of the agent
 * @param isInPlugin true for an agent of a plugin, which Claude Code loads also without a name and a description
 */
export function agentFaults(file: FileReader, client: AgentClient, isInPlugin: boolean): readonly AgentFault[] {
  const readings = file.readings(client.read) ?? [];
  const [first, ...others] = readings.map((result) => faultsIn(file, client, isInPlugin, result));
  if (!first) return [];
  return first.filter((fault) => others.every((faults) => faults.some((one) => isSame(one, fault))));
}

const isSame = (a: AgentFault, b: AgentFault): boolean =>
  a.effect === b.effect && a.cause.code === b.cause.code && a.cause.key === b.cause.key;

function faultsIn(
  file: FileReader,
  client: AgentClient,
  isInPlugin: boolean,
  { value: reading }: Result<Reading>,
): readonly AgentFault[] {
  const unread = unreadCause(file, client, reading);
  if (unread) return client.broken === 'ignored' || isInPlugin ? [] : [{ cause: unread, effect: 'not-loaded' }];
  if (isStop(reading)) return [];
  return client.keys.flatMap((key) => faultOf(key, reading.keys.get(key.name), isInPlugin) ?? []);
}

/** Returns why the client cannot read the frontmatter; undefined if it reads its keys. */
function unreadCause(file: FileReader, client: AgentClient, reading: Reading): Cause | undefined {
  const stop = isStop(reading)
    ? reading
    : reading.keys.size === 0
      ? file.causeOfRepair(client.read, firstOf)
      : undefined;
  return stop && { code: stop.code, at: stop.at, ...(stop.key !== undefined && { key: stop.key }) };
}

function faultOf(key: AgentKey, field: Field | undefined, isInPlugin: boolean): AgentFault | undefined {
  const { name, required, otherwise, empty } = key;
  if (field && isInPlugin && key.notInPlugins)
    return { cause: { code: 'keys/no-effect', key: name }, effect: 'ignored' };
  const isMissing = !field || (required === 'text' && field.value === '');
  if (isMissing) {
    return required && !isInPlugin ? { cause: { code: 'fields/missing', key: name }, effect: 'not-loaded' } : undefined;
  }
  if (empty && !hasText(field.value)) return { cause: { code: 'fields/value', key: name }, effect: empty };
  if (otherwise === 'unknown' || (isInPlugin && otherwise === 'not-loaded')) return undefined;
  const isValue = isAcceptedValue(key, field);
  if (isValue) return undefined;
  return { cause: { code: isValue === undefined ? 'fields/type' : 'fields/value', key: name }, effect: otherwise };
}

/** Returns whether a client accepts a value; undefined for a value of another type. */
function isAcceptedValue(
  { types, items, values, pattern, integer, excludes }: AgentKey,
  field: Field,
): boolean | undefined {
  const { value } = field;
  const text = typeof value === 'string' ? value : (field.text ?? '');
  const isChoice = values !== undefined || pattern !== undefined;
  const isInteger = integer !== undefined && /^[+-]?\d+$/.test(text) && (integer === 'any' || Number(text) > 0);
  if (isInteger || values?.includes(text) || (pattern !== undefined && new RegExp(pattern, 'u').test(text)))
    return true;
  const type = typeOf(field);
  if (!types.includes(type)) return isChoice && typeof value !== 'object' ? false : undefined;
  if (Array.isArray(value))
    return items === undefined || value.every((item) => typeOf({ value: item }) === items) || undefined;
  if (type === 'map') return isAcceptedMap(value, items, values) || undefined;
  if (type === 'null') return true;
  return !isChoice && integer === undefined && (excludes === undefined || !text.includes(excludes));
}

/** Returns whether the values of a map have the type that the key asks for, or are among its texts. */
function isAcceptedMap(map: FieldValue, items: FieldType | undefined, values: readonly string[] | undefined): boolean {
  return Object.values(map as { readonly [key: string]: FieldValue }).every((value) => {
    const type = typeOf({ value });
    if (items !== undefined) return type === items;
    return (
      values === undefined || (type === 'map' ? isAcceptedMap(value, items, values) : values.includes(String(value)))
    );
  });
}

/** Returns false for null, an empty text, and a list without texts. */
const hasText = (value: FieldValue): boolean =>
  Array.isArray(value) ? value.some((item) => typeof item === 'string') : value !== null && String(value).trim() !== '';
