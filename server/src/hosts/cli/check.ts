/** `skill-composer check`. */
import type { Severity } from '../../finding.ts';
import { check } from '../../rules/check.ts';
import { unread } from '../../skill/document.ts';
import { partsFirst } from '../../workspace/parts-first.ts';
import { compileLess, tuneEngine } from '../engine.ts';
import { openSamples } from './compose-samples.ts';
import type { Console } from './console.ts';
import { applyFixes, writeFixes } from './fix.ts';
import { toJson } from './json.ts';
import { toPretty } from './pretty.ts';
import type { Progress } from './progress.ts';
import { assertCatalogsParse, lookForLinks, lookForLinksOf, openProject, type Project } from './project.ts';
import { atLeast, byFile, type CheckedFile, type CheckReport, withOnly } from './report.ts';
import type { Format } from './words.ts';

export interface CheckOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: Format;
  readonly fix: boolean;
  readonly failOn: Severity;
  /** Only what makes the run fail is shown, without a summary. */
  readonly quiet: boolean;
  readonly overrides: Readonly<Record<string, string>>;
}

/** Prints findings; returns the exit status 0 or 1, and throws a `Stop` for 2. */
export async function runCheck(options: CheckOptions, console: Console): Promise<number> {
  boundMemory();
  growRoom();
  compileLess();
  const { format, quiet, failOn } = options;
  const { colors, progress } = console;
  const { project, report, fixed, written } = await inspect(options, progress).finally(() => progress.end());
  for (const [uri, reason] of quiet ? [] : (fixed?.skipped ?? [])) {
    console.note(`\`${project.fileOf(uri)}\` is not fixed: ${reason}.`);
  }
  const shown = quiet ? withOnly(report, atLeast(failOn)) : report;
  console.print(format === 'json' ? toJson(shown) : toPretty(shown, { colors, quiet, fixed: written }));
  return report.files.some(({ findings }) => findings.some(atLeast(failOn))) ? 1 : 0;
}

/**
 * Of 1,000 files some 25 MB are in use at any time. Left to itself the engine lets its heap grow to four times that before
 * it looks: 218 MB at the peak in all, with what `boundRoom` bounds. So it is half of that.
 */
function boundMemory(): void {
  tuneEngine('--heap-growing-percent=50');
}

/**
 * Room for what is new is 1 MB at the beginning, and a file that is checked needs more: much of it outlives a collection,
 * becomes old and is collected dearly. Left to itself the engine doubles it so late that for 1,000 files it collects 138
 * times; in larger steps it does so 70 times, which spares 8 % of the work.
 */
function growRoom(): void {
  tuneEngine('--semi-space-growth-factor=4');
}

/** By now it has grown to 4 MB (for 10,000 files to 16): more spares no work, and takes 20 MB of memory. */
function boundRoom(): void {
  tuneEngine('--semi-space-growth-factor=1');
}

/** Reads, mends where that is asked for, and checks. */
async function inspect({ cwd, paths, config, fix, overrides }: CheckOptions, progress: Progress) {
  const project = await openProject({ cwd, paths, config, progress, beforeReading: boundRoom });
  project.workspace.apply({ kind: 'overrides', severities: overrides });
  if (fix) await lookForLinks(project.workspace, project.named);
  const fixed = fix ? await applyFixes(project) : undefined;
  // Mending comes first, since it may be the catalog that it mends; nothing is written under one that stays broken.
  assertCatalogsParse(project);
  const written = fixed && (await writeFixes(project, fixed));
  return { project, fixed, written, report: await reportOf(project, progress) };
}

/** How many files are checked between two pauses. */
const CHECKED_AT_ONCE = 64;

const pause = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function reportOf(project: Project, progress: Progress): Promise<CheckReport> {
  const { workspace, named, fileOf } = project;
  const { documents } = workspace.index();
  const samples = openSamples(project);
  const files: CheckedFile[] = [];
  let done = 0;
  try {
    for (const uri of partsFirst(workspace.index().graph, named)) {
      const document = documents.get(uri);
      // What is read of a file's body is held no longer than its check takes.
      const read = document?.isSkill ? unread(document) : undefined;
      if (document && read) {
        // Here and not all before: so a file is read once for both.
        if (samples.has(uri)) await samples.compose(uri);
        // Likewise: bodies are read for their links, too.
        await lookForLinksOf(workspace, [read]);
        files.push({ file: fileOf(uri), document, findings: check(workspace.index(), read) });
      }
      progress.step('Checking', ++done, named.size);
      // What code in one go has read stays until it pauses.
      if (done % CHECKED_AT_ONCE === 0) await pause();
    }
  } finally {
    samples.dispose();
  }
  return {
    files: files.sort(byFile),
    findPlace(uri) {
      const document = documents.get(uri);
      return document && { file: fileOf(uri), document };
    },
  };
}
