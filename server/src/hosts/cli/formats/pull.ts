/** What `tools pull` prints. */
import { counted } from '../../../languages/schema/model.ts';
import { visible } from '../../../text.ts';
import type { ToolChange } from '../../../tools/compare.ts';
import { tellChange } from '../../../tools/tell-change.ts';
import type { ServerReport } from '../../tools/pull.ts';
import { printedJson } from './json.ts';

export interface PullReport {
  readonly catalogs: readonly CatalogPull[];
}

export interface CatalogPull {
  /** The catalog, and the snapshot beside it, as the user knows them. */
  readonly file: string;
  readonly snapshot: string;
  readonly differs: boolean;
  readonly written: boolean;
  readonly servers: readonly ServerReport[];
  readonly changes: readonly ToldChange[];
  /** Names that several servers give to a tool, each with these servers. */
  readonly shared: readonly { readonly tool: string; readonly servers: readonly string[] }[];
}

export interface ToldChange {
  readonly change: ToolChange;
  readonly skills: readonly { readonly name: string; readonly file: string }[];
}

export const pullJson = ({ catalogs }: PullReport): string =>
  printedJson({
    version: 1,
    catalogs: catalogs.map(({ file, snapshot, differs, written, servers, changes }) => ({
      file,
      snapshot,
      differs,
      written,
      servers: servers.map(({ version, reason, ...server }) => ({
        ...server,
        version: version ?? null,
        reason: reason ?? null,
      })),
      changes: changes.map(({ change: { server, ...change }, skills }) => ({
        ...change,
        server: server ?? null,
        skills,
        message: tellChange({ ...change, server } as ToolChange, skills),
      })),
    })),
  });

/** How many changes that nobody needs to act on are told one by one. */
const MAX_QUIET = 20;

export function pullText({ catalogs }: PullReport): string {
  return catalogs.map((catalog) => `${linesOf(catalog).map(visible).join('\n')}\n`).join('\n');
}

function linesOf({ snapshot, differs, written, servers, changes, shared }: CatalogPull): string[] {
  const breaking = changes.filter(isBreaking);
  const others = changes.filter((one) => !isBreaking(one));
  const told = ({ change, skills }: ToldChange): string => `  ${tellChange(change, skills)}`;
  const outcome = written ? 'written' : differs ? 'differs, and is left as it is' : 'is up to date';
  return [
    `${snapshot}: ${outcome}`,
    ...servers.map((server) => `  ${serverLine(server)}`),
    ...(breaking.length > 0 ? ['Breaks:', ...breaking.map(told)] : []),
    ...(others.length > 0 ? ['Changes:', ...others.slice(0, MAX_QUIET).map(told)] : []),
    ...(others.length > MAX_QUIET ? [`  and ${others.length - MAX_QUIET} more.`] : []),
    ...shared.map(
      ({ tool, servers }) => `\`${tool}\` is a tool of ${servers.join(' and ')}: a skill that names it gets either.`,
    ),
  ];
}

/** A change that skills feel. */
const isBreaking = ({ change, skills }: ToldChange): boolean => skills.length > 0 && change.kind !== 'added';

function serverLine({ name, file, status, version, tools, reason }: ServerReport): string {
  switch (status) {
    case 'pulled':
      return `${name}${version === undefined ? '' : ` ${version}`}: ${counted(tools, 'tool')}`;
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
