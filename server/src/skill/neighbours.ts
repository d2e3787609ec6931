/** The order of parts where no `execution` gives one (docs/format.md, section 4, "Execution"). */

/** What a part takes from the flow and gives to it, by the names of the flow. */
export interface FlowNames {
  readonly takes: readonly string[];
  readonly gives: readonly string[];
}

interface Side {
  /** The names of the fields; undefined where a schema allows others. */
  readonly fields: readonly string[] | undefined;
  /** Of an input the flow's name to the part's own, of an output the other way. */
  readonly mapping: readonly (readonly [string, string])[];
}

/** Undefined where a schema does not say its fields. */
export function flowNames(input: Side, output: Side): FlowNames | undefined {
  if (!input.fields || !output.fields) return undefined;
  const sources = new Map(input.mapping.map(([flow, own]) => [own, flow]));
  const targets = new Map(output.mapping);
  return {
    takes: input.fields.map((name) => sources.get(name) ?? name),
    gives: output.fields.map((name) => targets.get(name) ?? name),
  };
}

/**
 * The indices of parts in their order, neighbours that need nothing of each other together. A part of which not all is
 * known stands alone.
 */
export function groupNeighbours(parts: readonly (FlowNames | undefined)[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let taken = new Set<string>();
  let given = new Set<string>();
  let isClosed = true;
  for (const [at, part] of parts.entries()) {
    const clashes =
      !part ||
      part.takes.some((name) => given.has(name)) ||
      part.gives.some((name) => given.has(name) || taken.has(name));
    if (isClosed || clashes) {
      groups.push([]);
      taken = new Set();
      given = new Set();
    }
    isClosed = !part;
    groups.at(-1)?.push(at);
    for (const name of part?.takes ?? []) taken.add(name);
    for (const name of part?.gives ?? []) given.add(name);
  }
  return groups;
}
