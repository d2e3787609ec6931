/** Formats the planner catalog as a table for human readers (docs/registry.md, "The planner catalog"). */

import type { Analysis } from '../analysis/analysis.ts';
import { findPermission } from '../analysis/permissions.ts';
import { formatDollars, formatDuration } from '../format-amounts.ts';
import { isObject } from '../languages/schema/schema.ts';
import { findEntry, stringOf } from '../languages/yaml/node.ts';
import type { Permission } from '../skill/package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import { findDeclared } from '../workspace/budgets.ts';
import { levelsOf } from '../workspace/order.ts';

export interface RegistryRow {
  readonly name: string;
  readonly owner: string;
  readonly version: string;
  readonly surfaces: string;
  readonly p95: string;
  readonly cost: string;
  readonly idempotent: string;
  readonly level: string;
  readonly permissions: string;
}

export function registryRow(analysis: Analysis, file: SkillFile): RegistryRow {
  const { uri, contract, summary, frontmatter } = file;
  const p95 = findDeclared(summary, 'p95_ms');
  const cost = findDeclared(summary, 'cost_usd');
  const level = levelsOf(analysis.graph, { uri, summary }).get(uri);
  return {
    name: contract.name?.name ?? nameFromUri(uri),
    owner: stringOf(findEntry(frontmatter.tree.root, 'owner')?.value) ?? '',
    version: versionText(contract),
    surfaces: contract.surfaces
      .map(({ name, percent }) => (percent === undefined ? name : `${name} ${percent.value}%`))
      .join(', '),
    p95: p95 === undefined ? '' : formatDuration(p95),
    cost: cost === undefined ? '' : formatDollars(cost),
    idempotent: idempotencyOf(summary.policy),
    level: summary.dialect === 'agent-skill' ? '' : String(level ?? 1),
    permissions: permissionText(findPermission(analysis, { uri, summary })),
  };
}

/** Returns the version, and the older versions that the skill serves through adapters. */
function versionText({ version, adapts }: SkillFile['contract']): string {
  const served = adapts.map(({ from }) => from.name);
  return [version?.name ?? '', ...(served.length > 0 ? [`serves ${served.join(', ')}`] : [])].join(', ');
}

function permissionText(permission: Permission | undefined): string {
  if (!permission) return '';
  const { enabled, channels, contexts } = permission;
  if (!enabled) return 'disabled';
  return [
    ...(channels ? [`channels: ${channels.join(', ') || 'none'}`] : []),
    ...(contexts ? [`contexts: ${contexts.join(', ') || 'none'}`] : []),
  ].join('; ');
}

function idempotencyOf(policy: SkillFile['summary']['policy']): string {
  if (!isObject(policy)) return '';
  const key = policy.idempotency_key;
  if (typeof key === 'string') return `yes, by ${key}`;
  return policy.idempotent === true ? 'yes' : policy.idempotent === false ? 'no' : '';
}
