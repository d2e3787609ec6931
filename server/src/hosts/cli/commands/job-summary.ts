/** Adds to the summary of a GitHub job, where the environment names its file. */
import { appendText } from '../../disk/write-file.ts';
import type { Console } from '../console.ts';
import { toJobSummary } from '../formats/ci/github.ts';
import type { CheckReport } from '../formats/report.ts';
import { reasonOf } from '../stop.ts';

export async function addJobSummary(report: CheckReport, console: Console): Promise<void> {
  const path = process.env.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    await appendText(path, toJobSummary(report));
  } catch (error) {
    console.note(`The job's summary cannot be written: ${reasonOf(error)}.`);
  }
}
