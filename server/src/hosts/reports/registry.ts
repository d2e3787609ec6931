/** The registry as a Markdown table. */
import type { RegistryRow } from '../../planner/registry.ts';
import { markdownTable } from './tables.ts';

const HEADS: Readonly<Record<keyof RegistryRow, string>> = {
  name: 'Skill',
  owner: 'Owner',
  version: 'Version',
  surfaces: 'Surfaces',
  p95: 'p95',
  cost: 'Cost',
  idempotent: 'Idempotent',
  level: 'Level',
  permissions: 'Permissions',
};

export function registryTable(rows: readonly RegistryRow[]): string {
  const columns = Object.keys(HEADS) as (keyof RegistryRow)[];
  return markdownTable(
    columns.map((column) => HEADS[column]),
    rows.map((row) => columns.map((column) => row[column])),
  );
}
