/** The agents of a workspace by name (docs/clients.md, "Agents"). */
import type { AgentFacts } from '../clients/agents/agent-facts.ts';
import type { Plugin } from '../skill-folder/plugins.ts';

/** An agent of the workspace that Claude Code reads. */
export interface KnownAgent {
  readonly uri: string;
  /** The name by which a skill calls the agent: with those of its plugin and of its folders in the plugin before it. */
  readonly callName: string;
  readonly name: string;
  readonly isLoaded: boolean;
}

export class KnownAgents {
  /** The agents that Claude Code reads, in the order of their URIs. */
  readonly all: readonly KnownAgent[];
  readonly #byCallName = new Map<string, KnownAgent[]>();
  readonly #facts: ReadonlyMap<string, AgentFacts>;
  /** The URIs of the loaded agents by their folder and name, in text order. */
  readonly #loaded = new Map<string, string[]>();

  constructor(agents: Iterable<readonly [uri: string, facts: AgentFacts]>, plugins: readonly Plugin[]) {
    const sorted = [...agents].sort(([a], [b]) => (a < b ? -1 : 1));
    const byRoot = new Map<string, Plugin[]>();
    const byAgent = new Map<string, Plugin[]>();
    for (const plugin of plugins) {
      if (plugin.agents) for (const uri of new Set(plugin.agents)) add(byAgent, uri, plugin);
      else add(byRoot, plugin.root, plugin);
    }
    this.all = sorted.flatMap(([uri, { name, prefix = '', folder, root, isLoaded }]): readonly KnownAgent[] => {
      const known = (before: string, isKnownAsLoaded = true) => ({
        ...{ uri, name, callName: before + name, isLoaded: isKnownAsLoaded },
      });
      const owners = folder === undefined ? (byRoot.get(root) ?? []) : [];
      // The name of a listed agent has no folders before it. A marketplace and a manifest may name the same plugin.
      const befores = new Set([
        ...owners.map((plugin) => `${plugin.name}:${prefix}`),
        ...(byAgent.get(uri) ?? []).map((plugin) => `${plugin.name}:`),
      ]);
      return [
        ...(folder === '.claude/agents' ? [known('', isLoaded)] : []),
        ...[...befores].map((before) => known(before)),
      ];
    });
    this.#facts = new Map(sorted);
    for (const one of this.all) add(this.#byCallName, one.callName, one);
    for (const [uri, facts] of sorted) if (facts.isLoaded) add(this.#loaded, placeOf(facts), uri);
  }

  /** Returns the agents that a skill calls by this name, in the order of their URIs. */
  called(callName: string): readonly KnownAgent[] {
    return this.#byCallName.get(callName) ?? [];
  }

  /** Returns the facts of an agent file. */
  facts(uri: string): AgentFacts | undefined {
    return this.#facts.get(uri);
  }

  /** Returns the URIs of the loaded agents with the name and the folder of an agent, in text order. */
  named(agent: AgentFacts): readonly string[] {
    return this.#loaded.get(placeOf(agent)) ?? [];
  }
}

const placeOf = ({ root, name }: AgentFacts): string => `${root} ${name}`;

function add<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
