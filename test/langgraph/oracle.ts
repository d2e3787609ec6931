/**
 * Computes the path of a dry run from the shape alone, without LangGraph and without code of the engine. Conditions
 * compare `$input.n`, or the output of a service, with a number. Every service returns its stub.
 */
import type { GraphNode, Subgraph } from '../../server/src/composer/composition.ts';
import type { Stub } from '../../server/src/protocol.ts';

export interface Expected {
  /** The paths of the nodes, in the order in which they are entered. */
  readonly entered: readonly string[];
  /** The interrupts that fire, for example `before_write at draft/call_tools`. */
  readonly fired: readonly string[];
  readonly retries: number;
  /** The steps whose results are dropped. */
  readonly cancelled: readonly string[];
  /** `met`, `unmet`, or the code of the failure. */
  readonly end: string;
}

export interface Situation {
  readonly n: number;
  /** The stubs of services, which have the name of their skill, and of tools. */
  readonly stubs: readonly Stub[];
  /** The interrupts whose answer is no; all others are answered with yes. */
  readonly declines: readonly string[];
}

class Failed extends Error {
  readonly code: string;
  readonly isRetried: boolean;
  constructor(code: string, isRetried: boolean) {
    super(code);
    this.code = code;
    this.isRetried = isRetried;
  }
}

export function expectedRun(shape: Subgraph, { n, stubs, declines }: Situation): Expected {
  const entered: string[] = [];
  const fired: string[] = [];
  const cancelled: string[] = [];
  let retries = 0;
  const asked = new Map<string, number>();

  const use = (name: string): void => {
    const stub = stubs.find((one) => one.name === name);
    const count = (asked.get(name) ?? 0) + 1;
    asked.set(name, count);
    if (stub?.fails !== undefined && count <= (stub.times ?? count)) throw new Failed(stub.fails, true);
  };

  /** Does work again as the node's retry says. */
  const retried = <Value>({ retry }: GraphNode, work: () => Value): Value => {
    for (let left = (retry?.maxAttempts ?? 1) - 1; ; left--) {
      try {
        return work();
      } catch (error) {
        const codes = retry?.retryOn ?? [];
        if (!(error instanceof Failed) || !error.isRetried || left === 0) throw error;
        if (codes.length > 0 && !codes.includes(error.code)) throw error;
        retries++;
      }
    }
  };

  /** Runs a shape, and returns whether it ended as its exit condition says. */
  function runShape(graph: Subgraph, at: string): boolean {
    const outputs = new Map<string, number>();
    const held = new Map<string, number | Failed>();
    /** The steps that are cancelled before they begin. */
    const dropped = new Set<string>();
    const arrived = new Map<string, number>();
    const turns = new Map<string, number>();
    let calls = 0;
    let wanted = '';
    const { exitCondition } = graph;
    const isFiring = (name: string, node: GraphNode, tool = ''): boolean => {
      const one = graph.interrupts.find((own) => own.name === name && own.node === node.id);
      if (!one || (one.tools && !one.tools.includes(tool))) return false;
      fired.push(`${name} at ${at}${node.id}`);
      return true;
    };
    const isDeclined = (name: string, node: GraphNode, tool = ''): boolean =>
      isFiring(name, node, tool) && declines.includes(name);
    const decline = (name: string, node: GraphNode): void => {
      if (isDeclined(name, node)) throw new Failed('DECLINED', false);
    };
    const holds = (condition: string): boolean => {
      const [, name = '', operator, number] = /^\$([\w-]+)\.(?:output\.)?[\w-]+ (>|==) (\d+)$/.exec(condition) ?? [];
      const value = name === 'input' ? n : (outputs.get(name) ?? Number.NaN);
      return operator === '>' ? value > Number(number) : value === Number(number);
    };
    const from = (node: GraphNode, kind: string) =>
      graph.edges.filter((edge) => edge.from === node.id && edge.kind === kind);

    const visits: Record<GraphNode['kind'], (node: GraphNode) => readonly string[]> = {
      validate_input: (node) => from(node, 'next').map(({ to }) => to),
      parallel: (node) => from(node, 'next').map(({ to }) => to),
      speculate: (node) => from(node, 'next').map(({ to }) => to),
      plan(node) {
        const turn = turns.get(node.id) ?? 0;
        turns.set(node.id, turn + 1);
        if (turn === 0) decline('before_stage', node);
        const tools = graph.nodes.find(({ id }) => id === from(node, 'branch')[0]?.to)?.tools ?? [];
        const isLast = graph.nodes.filter(({ kind }) => kind === 'plan').at(-1) === node;
        const repeats = isLast && exitCondition.on === 'tool_budget' && tools.length > 0;
        const tool = repeats ? tools[turn % tools.length] : tools[turn];
        if (tool === undefined) return from(node, 'next').map(({ to }) => to);
        if (calls >= (exitCondition.maxToolCalls ?? Number.POSITIVE_INFINITY)) {
          isFiring('on_budget_exhausted', node);
          return ['check_exit'];
        }
        wanted = tool;
        return from(node, 'branch').map(({ to }) => to);
      },
      call_tools(node) {
        const back = from(node, 'loop').map(({ to }) => to);
        // The order of the interrupts is the order in the skill.
        const names = graph.interrupts.filter((one) => one.node === node.id).map(({ name }) => name);
        calls++;
        for (const name of names.filter((one) => one.startsWith('before_'))) {
          if (isDeclined(name, node, wanted)) return back;
        }
        try {
          retried(node, () => use(wanted));
        } catch (error) {
          if (!isFiring('on_tool_error', node, wanted)) throw error;
        }
        return back;
      },
      call_service(node) {
        retried(node, () => use(serviceOf(at)));
        return from(node, 'next').map(({ to }) => to);
      },
      skill(node) {
        const { subgraph, skill } = node;
        if (!subgraph || !skill) throw new Error(`${node.id} has no subgraph`);
        const isHeld = graph.edges.some((edge) => edge.kind === 'cancel' && edge.to === node.id);
        try {
          retried(node, () => runShape(subgraph, `${at}${skill.step}/`));
        } catch (error) {
          if (!isHeld || !(error instanceof Failed)) throw error;
          held.set(skill.step, error);
          return from(node, 'next').map(({ to }) => to);
        }
        const returns = stubs.find(({ name }) => name === skill.name)?.returns;
        const value = Number(Object.values((returns ?? {}) as Record<string, number>)[0]);
        (isHeld ? held : outputs).set(skill.step, value);
        for (const { to, unless } of from(node, 'cancel')) if (unless !== undefined && !holds(unless)) dropped.add(to);
        return from(node, 'next').map(({ to }) => to);
      },
      join(node) {
        const until = graph.nodes.find(({ join }) => join === node.id)?.until;
        const edges = graph.edges.filter((edge) => edge.kind === 'cancel' && edge.from === until);
        const stepOf = (to: string): string => graph.nodes.find(({ id }) => id === to)?.skill?.step ?? '';
        const lost = edges.filter(({ unless }) => unless !== undefined && !holds(unless));
        cancelled.push(...lost.map(({ to }) => stepOf(to)));
        for (const edge of edges) {
          if (!lost.includes(edge)) outputs.set(stepOf(edge.to), resultOf(held.get(stepOf(edge.to))));
        }
        return from(node, 'next').map(({ to }) => to);
      },
      branch(node) {
        const arms = from(node, 'branch');
        const arm = arms.find(({ condition }) => condition !== undefined && holds(condition));
        const chosen = arm ?? arms.find(({ condition }) => condition === undefined);
        if (chosen?.untaken) throw new Error(`${node.id} takes the edge to ${chosen.to}, which is marked as untaken`);
        return chosen ? [chosen.to] : [];
      },
      check_exit(node) {
        decline('before_exit', node);
        return [];
      },
    };

    // The step that decides about a speculation runs first.
    const deciding = new Set(graph.nodes.flatMap(({ until }) => until ?? []));
    const order = new Map(graph.nodes.map(({ id }, index) => [id, deciding.has(id) ? index - 1000 : index]));
    let front = ['validate_input'];
    while (front.length > 0) {
      const next = new Set<string>();
      for (const id of front) {
        const node = graph.nodes.find((one) => one.id === id);
        if (!node) throw new Error(`no node ${id}`);
        if (!dropped.has(id)) entered.push(`${at}${id}`);
        for (const to of dropped.has(id) ? from(node, 'next').map((edge) => edge.to) : visits[node.kind](node)) {
          const start = graph.nodes.find(({ join }) => join === to);
          const arms = graph.edges.filter((edge) => edge.from === start?.id && edge.kind !== 'cancel').length;
          const count = (arrived.get(to) ?? 0) + 1;
          arrived.set(to, count);
          if (!start || count === arms) next.add(to);
        }
      }
      front = [...next].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    }
    return exitCondition.on !== 'tool_budget' || calls >= exitCondition.maxToolCalls;
  }

  try {
    const isMet = runShape(shape, '');
    return { entered, fired, retries, cancelled, end: isMet ? 'met' : 'unmet' };
  } catch (error) {
    if (error instanceof Failed) return { entered, fired, retries, cancelled, end: error.code };
    throw error;
  }
}

const resultOf = (result: number | Failed | undefined): number => {
  if (result instanceof Failed) throw result;
  return result ?? Number.NaN;
};

/** A service has the name of its step, which is the last part of the path. */
const serviceOf = (at: string): string => at.split('/').at(-2) ?? '';
