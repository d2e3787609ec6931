/** The clients whose tools are in a key of a `SKILL.md`. */

import type { AllowedTool } from '../../abilities/permissions.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import {
  clientsFor,
  findServerTool,
  grants,
  readMcpName,
  STANDARD_KEY,
  serversFor,
} from '../../analysis/client-tools.ts';
import type { Client } from '../../clients/facts/client.ts';
import { hasTool, nameWithVersion } from '../../clients/facts/clients.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { code, factLine, type Markdown, md, paragraphs, trusted } from '../markdown.ts';

/** Describes a tool in `allowed-tools`: its function in each client, and the effect of the key. */
export function describeToolWord(analysis: Analysis, file: SkillFile, tool: AllowedTool): Markdown {
  const asked = clientsFor(analysis, file, STANDARD_KEY);
  return describeMcpTool(analysis, file, tool, asked) ?? describeClientTool(tool, asked);
}

function describeClientTool({ name, pattern }: AllowedTool, asked: readonly Client[]): Markdown {
  const knows = asked.flatMap((client) => {
    const tool = client.tools?.value.names.find((one) => one.name === name);
    return tool ? [{ client, docs: tool.docs }] : [];
  });
  const namesFor = (docs: string) => knows.filter((one) => one.docs === docs).map(({ client }) => client.name);
  const does = [...new Set(knows.map(({ docs }) => docs))].map((docs) =>
    trusted(`${docs} (${listed(namesFor(docs))})`),
  );
  const others = asked.filter((client) => !hasTool(client, name)).map(nameWithVersion);
  const idle = knows.filter(({ client }) => !grants(client)).map(({ client }) => client.name);
  return paragraphs(
    factLine(md`**${name}** · tool`, pattern !== undefined && md`only ${code(pattern)}`),
    ...does,
    others.length > 0 && trusted(`${listed(others)} ${others.length === 1 ? 'has' : 'have'} no tool with this name.`),
    idle.length > 0 && trusted(`The key has no known effect in ${listed(idle)}.`),
  );
}

/** Describes a name such as `mcp__github__create_issue`; undefined if no client has names of this form. */
function describeMcpTool(
  analysis: Analysis,
  { uri }: SkillFile,
  { name }: AllowedTool,
  asked: readonly Client[],
): Markdown | undefined {
  const forms = asked.filter(({ tools }) => tools?.value.mcp?.startsWith('mcp__'));
  const servers = serversFor(analysis, uri);
  const mcp = readMcpName(name, servers.keys());
  if (!mcp || forms.length === 0) return undefined;
  const { server, tool } = mcp;
  const whose = trusted(listed(forms.map((client) => client.name)));
  const isPattern = tool?.includes('*');
  const known = tool === undefined ? undefined : findServerTool(analysis, uri, server, tool);
  const others = asked.flatMap(({ name: client, tools }) => {
    const form = tools?.value.mcp;
    if (form === undefined || form.startsWith('mcp__') || tool === undefined || isPattern) return [];
    return [md`${trusted(client)} writes ${code(form.replace('{server}', server).replace('{tool}', tool))}.`];
  });
  const means =
    tool === undefined
      ? md`All tools of the MCP server ${code(server)} (${whose}).`
      : isPattern
        ? md`The tools of the MCP server ${code(server)} whose names match ${code(tool)} (${whose}).`
        : md`The tool ${code(tool)} of the MCP server ${code(server)} (${whose}).`;
  return paragraphs(
    factLine(md`**${name}** · ${trusted(tool === undefined ? 'MCP server' : 'MCP tool')}`),
    means,
    known?.description !== undefined && md`${known.description}`,
    ...others,
  );
}
