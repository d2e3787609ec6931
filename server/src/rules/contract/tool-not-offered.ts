import type { Analysis } from '../../analysis/analysis.ts';
import { faultyToolsOf, inToolName, readMcpName } from '../../analysis/client-tools.ts';
import { targetClients, targetsBeside } from '../../analysis/targets.ts';
import { leftOutTools, notOfferedSentence } from '../../clients/tools/tool-effects.ts';
import type { Draft } from '../../finding.ts';
import { placesHere } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a tool of a server that a target client does not offer to its model (docs/tools.md, "What clients leave out"). */
export const toolNotOffered: Rule = {
  name: 'tool-not-offered',
  severity: 'warning',
  evidence: {
    kind: 'vendor',
    source: 'runs of clients (docs/tools.md, "What clients leave out")',
    checked: '2026-12-01',
  },
  dialects: ['composer', 'contract', 'agent-skill'],
  isAboutTargets: true,
  *check(file, analysis) {
    const isSkillMd = file.dialect === 'agent-skill';
    const targets = isSkillMd ? targetClients(analysis, file) : chosenTargets(analysis, file);
    if (targets.length === 0) return;
    const ids = targets.map(({ id }) => id);
    const uses = isSkillMd ? usesInText(file) : usesInContract(file, analysis);
    for (const [server, tools] of byServer(uses)) {
      for (const leftOut of leftOutTools(faultyToolsOf(analysis, file.uri, server), ids)) {
        const places = tools.filter(
          ({ tool }) => leftOut.tool === undefined || inToolName(leftOut.tool) === inToolName(tool),
        );
        yield* found(file, places, `${notOfferedSentence(leftOut, server)} Correct it in the server.`);
      }
    }
  },
};

function* found(file: SkillFile, [first, ...others]: readonly Use[], message: string): Iterable<Draft> {
  if (first) yield { span: first.span, message, related: placesHere(file, others, 'This tool is of the same server') };
}

/** A place that uses a tool of a server. */
interface Use {
  readonly server: string;
  readonly tool: string;
  readonly span: Span;
}

function byServer(uses: Iterable<Use>): ReadonlyMap<string, readonly Use[]> {
  const servers = new Map<string, Use[]>();
  for (const use of uses) {
    const known = servers.get(use.server);
    if (known) known.push(use);
    else servers.set(use.server, [use]);
  }
  return servers;
}

const chosenTargets = (analysis: Analysis, { uri }: SkillFile) => {
  const { clients, isChosen } = targetsBeside(analysis, uri);
  return isChosen ? clients : [];
};

function* usesInContract({ contract, uri }: SkillFile, analysis: Analysis): Generator<Use> {
  const { tools } = analysis.catalogOf(uri);
  for (const { name, span: place } of contract.tools) {
    const server = tools.get(name)?.server;
    if (server !== undefined) yield { server, tool: name, span: place };
  }
}

/** Finds names such as `mcp__github__create_issue` in the frontmatter and in the body. */
function* usesInText({ text }: SkillFile): Generator<Use> {
  for (const { 0: name, index } of text.matchAll(/\bmcp__[\w-]+/g)) {
    const read = readMcpName(name);
    if (read?.tool !== undefined)
      yield { server: read.server, tool: read.tool, span: span(index, index + name.length) };
  }
}
