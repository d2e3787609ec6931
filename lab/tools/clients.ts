/** The clients that are asked about tools, and their documented settings for MCP servers. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeHome } from '../../server/src/services/observing/home.ts';
import type { LabClient, LabRun } from '../client.ts';
import { claudeCode } from '../clients/claude-code.ts';
import { cline } from '../clients/cline.ts';
import { codex } from '../clients/codex.ts';
import { continueCli } from '../clients/continue.ts';
import { copilotCli } from '../clients/copilot-cli.ts';
import { geminiCli } from '../clients/gemini-cli.ts';
import { kilo, openCode } from '../clients/open-code.ts';

/** A server that a client starts. */
export interface Server {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const entries = <T>(servers: readonly Server[], entry: (server: Server) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(servers.map((server) => [server.name, entry(server)]));

const plainEntry = ({ command, args }: Server) => ({ command, args });

/** Returns the servers under the key that most clients share. */
const mcpServers = (servers: readonly Server[]) => ({ mcpServers: entries(servers, plainEntry) });

/** Returns a client whose settings in a JSON file get further keys. */
function withSettings(client: LabClient, file: string, more: (servers: readonly Server[]) => object) {
  return (servers: readonly Server[]): LabClient => ({
    ...client,
    configure(run) {
      client.configure?.(run);
      writeHome(run.home, file, { ...settingsIn(run, file), ...more(servers) });
    },
  });
}

function settingsIn({ home }: LabRun | { readonly home: string }, file: string): object {
  try {
    return JSON.parse(readFileSync(join(home, file), 'utf8')) as object;
  } catch {
    return {};
  }
}

const openCodeServers = (servers: readonly Server[]) => ({
  mcp: entries(servers, ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true })),
});

// Qwen Code and Droid are not asked, because they send only the names of tools if there are many.
export const TOOL_CLIENTS: readonly ((servers: readonly Server[]) => LabClient)[] = [
  (servers) => ({
    ...claudeCode,
    configure: ({ home }) => writeHome(home, 'servers.json', mcpServers(servers)),
    start: (run) => {
      const { args, env } = claudeCode.start(run);
      // Without the variable, the client sends only the names of many tools.
      const settings = ['--mcp-config', `${run.home}/servers.json`, '--strict-mcp-config'];
      return { args: [...args, ...settings], env: { ...env, ENABLE_TOOL_SEARCH: 'false' } };
    },
  }),
  (servers) => ({
    ...codex,
    configure(run) {
      codex.configure?.(run);
      const text = readFileSync(join(run.home, '.codex/config.toml'), 'utf8');
      const tables = servers.map(
        ({ name, command, args }) =>
          `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
      );
      writeHome(run.home, '.codex/config.toml', text + tables.join(''));
    },
  }),
  withSettings(copilotCli, '.copilot/mcp-config.json', (servers) => ({
    mcpServers: entries(servers, (server) => ({ type: 'local', tools: ['*'], ...plainEntry(server) })),
  })),
  withSettings(geminiCli, '.gemini/settings.json', mcpServers),
  withSettings(openCode, '.config/opencode/opencode.json', openCodeServers),
  withSettings(kilo, '.config/kilo/kilo.json', openCodeServers),
  withSettings(cline, '.cline/data/settings/cline_mcp_settings.json', mcpServers),
  (servers) => ({
    ...continueCli,
    configure(run) {
      continueCli.configure?.(run);
      const file = '.continue/config.yaml';
      const text = readFileSync(join(run.home, file), 'utf8');
      const list = servers.map((server) => ({ name: server.name, ...plainEntry(server) }));
      writeHome(run.home, file, `${text}mcpServers: ${JSON.stringify(list)}\n`);
    },
  }),
];
