/** The figures of language servers: start, index, edits, completion, each beside those of a peer in the same round. */
import { spawnSync } from 'node:child_process';
import type { Bench } from './bench.ts';
import { BURST, type Costs, drive, type Target } from './drive.ts';
import { type PeerName, targetOf } from './peers.ts';
import { median } from './process.ts';
import type { RealSkills } from './real-skills.ts';
import { milliseconds, type Row } from './table.ts';

/** The sessions that are held in each round, by name. */
type Sessions = Readonly<Record<string, Target | { readonly missing: string }>>;

type Figures = (session: string, cost: (costs: Costs) => number | undefined) => number | string;

const EDITS = 64;

export async function serverRows(bench: Bench): Promise<readonly Row[]> {
  const { figures, bareStart } = await hold(bench, sessionsOf(bench));
  const versus = (figure: string, cost: (costs: Costs) => number | undefined, ours: string, theirs: string) =>
    rowOf(figure, nameOf(theirs), figures(ours, cost), figures(theirs, cost));
  const editCpu = ({ editCpu }: Costs) => editCpu;
  const edit = 'edit to diagnostics, CPU';
  const rows: Row[] = [
    { ...versus(`${edit}, 200 lines`, editCpu, 'ours 200', 'yaml-language-server 200'), must: 1 / 5, aim: 1 / 12 },
    { ...versus(`${edit}, 200 lines`, editCpu, 'ours 200', 'unified-language-server 200'), must: 1 / 30, aim: 1 / 80 },
    {
      ...versus(`${edit}, 200 lines`, editCpu, 'ours 200', 'vscode-markdown-languageserver 200'),
      must: 1 / 2,
      aim: 1 / 4,
    },
    { ...versus(`${edit}, 200 lines`, editCpu, 'ours 200', YARDSTICK), must: 4, aim: 2 },
    {
      ...versus(`${edit}, 200 lines, sent as to VS Code`, editCpu, SENT, 'yaml-language-server 200'),
      must: 1 / 5,
      aim: 1 / 12,
    },
    { ...versus(`${edit}, 2,000 lines`, editCpu, 'ours 2000', 'yaml-language-server 2000'), must: 1 / 10, aim: 1 / 25 },
    {
      ...versus('edit to diagnostics, wall, median', ({ editP50 }) => editP50, 'ours 200', 'yaml-language-server 200'),
      must: 1 / 50,
      aim: 1 / 150,
    },
    {
      ...versus('the same, 95th percentile', ({ editP95 }) => editP95, 'ours 200', 'yaml-language-server 200'),
      must: 1 / 20,
      aim: 1 / 40,
    },
    {
      ...versus(
        'completion after an edit, CPU',
        ({ completionCpu }) => completionCpu,
        'ours 200',
        'yaml-language-server 200',
      ),
      must: 1 / 8,
      aim: 1 / 15,
    },
    {
      ...rowOf(
        `burst of ${BURST} edits, CPU`,
        `${BURST} single edits`,
        figures('ours 200', ({ burstCpu }) => burstCpu),
        figures('ours 200', (costs) => costs.editCpu * BURST),
      ),
      must: 1,
      aim: 0.3,
    },
    {
      ...rowOf(
        'the same, sent as to VS Code',
        `${BURST} single edits`,
        figures(SENT, ({ burstCpu }) => burstCpu),
        figures(SENT, (costs) => costs.editCpu * BURST),
      ),
      must: 1,
      aim: 0.3,
    },
    {
      ...rowOf(
        'start to `initialize` answered',
        '`node -e 0`',
        figures('ours 200', (c) => c.initialized),
        bareStart,
      ),
      must: 2.2,
      aim: 1.6,
    },
  ];
  const real = bench.real ? realRows(bench.real.count, versus) : [];
  if (!bench.large) return [...rows, ...real];
  return [
    ...rows,
    ...real,
    { ...versus(`${edit}, among 10,000`, editCpu, 'ours of 10000', 'ours of 100'), must: 1.2, aim: 1.05 },
    {
      ...rowOf(
        'opened file to diagnostics while 10,000 are indexed',
        'the same, idle',
        figures('ours of 10000', (costs) => costs.openedWhileLoading),
        figures('ours of 10000', (costs) => costs.openedIdle),
      ),
      must: 3,
      aim: 1.5,
    },
  ];
}

type Versus = (
  figure: string,
  cost: (costs: Costs) => number | undefined,
  ours: string,
  theirs: string,
) => Pick<Row, 'figure' | 'against' | 'measured' | 'from'>;

const realRows = (count: number, versus: Versus): readonly Row[] => [
  {
    ...versus(`edit to diagnostics, CPU, a \`SKILL.md\` among ${count}`, (c) => c.editCpu, OURS_REAL, THEIRS_REAL),
    must: 1 / 2,
    aim: 1 / 4,
  },
  {
    ...versus(`index of ${count} \`SKILL.md\`, CPU`, (costs) => costs.indexCpu, OURS_REAL, THEIRS_REAL),
    must: 1 / 2,
    aim: 1 / 4,
  },
  {
    ...versus("the same, with every file's diagnostics", (costs) => costs.indexCpu, OURS_REAL_SENT, THEIRS_REAL),
    must: 1 / 2,
    aim: 1 / 4,
  },
];

const YARDSTICK = 'yardstick 200';
const SENT = 'ours 200, sent';
const [OURS_REAL, OURS_REAL_SENT, THEIRS_REAL] = ['ours real', 'ours real, sent', 'skill-language-server real'];

const nameOf = (session: string): string =>
  session === 'ours of 100' ? 'the same in 100' : session.replace(/ (?:\d+|real)$/, '');

function rowOf(figure: string, against: string, ours: number | string, theirs: number | string): Row {
  const missing = typeof ours === 'string' ? ours : typeof theirs === 'string' ? theirs : undefined;
  if (missing !== undefined) return { figure, against, measured: missing };
  const [own, other] = [Number(ours), Number(theirs)];
  return { figure, against, measured: own / other, from: `${milliseconds(own)} : ${milliseconds(other)}` };
}

/** Who can be asked for diagnostics is asked at every keystroke, as most editors do; and every start is a first one. */
const asked = { pull: true, options: { cache: false } } as const;
/** Our extension for VS Code has them sent, since VS Code asks for those of the whole workspace every two seconds. */
const sent = { pull: false, options: { cache: false, diagnostics: 'push' } } as const;

function sessionsOf(bench: Bench): Sessions {
  const { workspaces, server } = bench;
  const ours = (count: number, lines: number): Target => {
    const workspace = workspaces.of(count);
    return {
      ...asked,
      command: server,
      workspace: workspace.folder,
      document: workspace.document(lines),
      edits: EDITS,
    };
  };
  const theirs = (name: PeerName, lines: number) => {
    const peer = bench.peer(name);
    if ('missing' in peer) return peer;
    const workspace = workspaces.of(1000, name === 'yaml-language-server');
    const of = { workspace: workspace.folder, document: workspace.document(lines), edits: EDITS };
    return targetOf(name, peer.folder, of);
  };
  return {
    'ours 200': ours(1000, 200),
    [SENT]: { ...ours(1000, 200), ...sent },
    'yaml-language-server 200': theirs('yaml-language-server', 200),
    'unified-language-server 200': theirs('unified-language-server', 200),
    'vscode-markdown-languageserver 200': theirs('vscode-markdown-languageserver', 200),
    [YARDSTICK]: bench.yardstick
      ? { ...ours(1000, 200), pull: false, command: [process.execPath, bench.yardstick, '--stdio'] }
      : { missing: 'not asked for (`--yardstick`)' },
    'ours 2000': ours(1000, 2000),
    'yaml-language-server 2000': theirs('yaml-language-server', 2000),
    ...(bench.real ? realSessions(bench.real, server) : {}),
    ...(bench.large ? { 'ours of 100': ours(100, 200), 'ours of 10000': ours(10_000, 200) } : {}),
  };
}

const realSessions = ({ folder, document, server: theirs }: RealSkills, server: readonly string[]): Sessions => {
  const target = { workspace: folder, document, edits: EDITS };
  return {
    [OURS_REAL]: { ...asked, ...target, command: server },
    [OURS_REAL_SENT]: { ...sent, ...target, command: server },
    [THEIRS_REAL]: { ...target, command: [process.execPath, theirs, '--stdio'] },
  };
};

/** Holds all sessions in turn, round after round, so that what else the machine does meets all alike. */
async function hold(bench: Bench, sessions: Sessions): Promise<{ figures: Figures; bareStart: number }> {
  const held = new Map<string, Costs[]>();
  const failed = new Map<string, string>();
  const bare: number[] = [];
  for (let round = 1; round <= bench.rounds; round++) {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    bare.push(performance.now() - began);
    for (const [name, target] of Object.entries(sessions)) {
      if ('missing' in target) {
        failed.set(name, target.missing);
        continue;
      }
      try {
        const costs = await drive(target);
        held.set(name, [...(held.get(name) ?? []), costs]);
        bench.say(`round ${round}, ${name}: ${milliseconds(costs.editCpu)} CPU an edit`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        bench.say(`round ${round}, ${name}: ${reason}`);
        failed.set(name, 'the session failed');
      }
    }
  }
  const figures: Figures = (session, cost) => {
    const values = (held.get(session) ?? []).flatMap((costs) => cost(costs) ?? []);
    return values.length > 0 ? median(values) : (failed.get(session) ?? 'not measured');
  };
  return { figures, bareStart: median(bare) };
}
