/** What came of a pull, in lines for people. */
import { counted } from '../../languages/schema/model.ts';
import { listed } from '../../nearest.ts';
import { visible } from '../../text.ts';
import { tellChange } from '../../tools/tell-change.ts';
import type { ServerReport } from './pull.ts';
import type { CatalogPull, ToldChange } from './pull-catalogs.ts';

/** How many changes that no skill feels are told one by one. */
const MAX_QUIET = 20;

export function pullLines({ snapshot, differs, written, servers, changes, shared }: CatalogPull): readonly string[] {
  const breaking = changes.filter(isBreaking);
  const others = changes.filter((one) => !isBreaking(one));
  const told = ({ change, skills }: ToldChange): string => `  ${tellChange(change, skills)}`;
  return [
    `${snapshot}: ${outcomeOf({ differs, written, servers })}`,
    ...servers.map((server) => `  ${serverLine(server)}`),
    ...(breaking.length > 0 ? ['Breaks:', ...breaking.map(told)] : []),
    ...(others.length > 0 ? ['Changes:', ...others.slice(0, MAX_QUIET).map(told)] : []),
    ...(others.length > MAX_QUIET ? [`  and ${others.length - MAX_QUIET} more.`] : []),
    ...shared.map(
      ({ tool, servers }) => `\`${tool}\` is a tool of ${listed(servers)}: a skill that names it gets any of them.`,
    ),
  ].map(visible);
}

function outcomeOf({ differs, written, servers }: Pick<CatalogPull, 'differs' | 'written' | 'servers'>): string {
  if (written) return 'written';
  if (!differs) return 'is up to date';
  return servers.every(isMissed) ? 'is not written, since no server answered' : 'differs, and is left as it is';
}

/** A change that skills feel. */
export const isBreaking = ({ change, skills }: ToldChange): boolean => skills.length > 0 && change.kind !== 'added';

/** Whether a server should have answered and has not. */
export const isMissed = ({ status }: ServerReport): boolean => status === 'failed' || status === 'skipped';

/** The servers that should have answered, with the reasons. */
export const missedLines = ({ servers }: CatalogPull): readonly string[] =>
  servers.filter(isMissed).map((server) => visible(serverLine(server)));

function serverLine({ name, file, status, version, tools, reason }: ServerReport): string {
  switch (status) {
    case 'pulled':
      return `${name}${version === undefined ? '' : ` ${version}`}: ${counted(tools, 'tool')}${reason === undefined ? '' : `; ${reason}`}`;
    case 'failed':
      return `${name} (${file}) ${reason}${keeping(tools)}`;
    case 'skipped':
      return `${name} (${file}) is skipped: ${reason}${keeping(tools)}`;
    case 'off':
      return `${name} (${file}) is left out: ${reason}`;
  }
}

/** What becomes of the tools of a server that has not answered. */
const keeping = (tools: number): string =>
  tools === 0 ? '' : ` What the snapshot has of it stays: ${counted(tools, 'tool')}.`;
