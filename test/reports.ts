/** Reports of a workspace that no client asks for: nothing is open, nobody types, and every file is wanted. */
import { createReports, type Reports, type ReportsOptions } from '../server/src/hosts/reports.ts';
import type { Workspace } from '../server/src/workspace/workspace.ts';

export const reportsOf = (
  workspace: Workspace,
  compute: ReportsOptions['compute'],
  differently: Partial<ReportsOptions> = {},
): Reports =>
  createReports({
    ...{ workspace, compute },
    takeIn: () => {},
    open: () => new Map(),
    closedToo: () => true,
    closedWait: () => 0,
    onChange: () => {},
    onNews: () => {},
    ...differently,
  });
