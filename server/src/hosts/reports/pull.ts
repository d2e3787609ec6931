/** The output of `tools pull`. */
import { describeChange, type ToolChange } from '../../tools/compare.ts';
import { type CatalogPull, pullLines } from '../tools/pull-catalogs.ts';
import { printedJson } from './json.ts';

export const pullJson = (catalogs: readonly CatalogPull[]): string =>
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
        message: describeChange({ ...change, server } as ToolChange, skills),
      })),
    })),
  });

export const pullText = (catalogs: readonly CatalogPull[]): string =>
  catalogs.map((catalog) => `${pullLines(catalog).join('\n')}\n`).join('\n');
