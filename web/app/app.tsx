// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
// Which page is shown, and what all pages share.
import { useEffect, useRef } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import { Reports } from '../panels/reports/reports.tsx';
import { HeaderTools } from './header_tools.tsx';
import { HelpButton, HelpDialog } from './help.tsx';
import type { Navigation } from './navigation.ts';
import { ReportPage } from './report_page.tsx';
import { kMostReports, listAddress, reportAddress } from './url_state.ts';

export function App({ client, navigation }: { client: Client; navigation: Navigation }) {
  const { page, ids, list } = navigation.target.value;
  const bare = useRef(navigation.bare);
  useEffect(() => {
    if (page === 'reports') document.title = 'Sextant';
  }, [page]);
  return (
    <>
      {page === 'reports' ? (
        <div class="page">
          <header class="header">
            <span class="brand">Sextant</span>
            <span class="space" />
            <HeaderTools />
            <HelpButton />
          </header>
          <Reports
            client={client}
            openOnlyOne={bare.current}
            most={kMostReports}
            list={list}
            onList={(changed) => navigation.note(() => listAddress(changed))}
            onOpen={(opened) => {
              bare.current = false;
              navigation.go(reportAddress(opened));
            }}
          />
        </div>
      ) : (
        <ReportPage key={ids.join('/')} client={client} ids={ids} navigation={navigation} />
      )}
      {client.notice && (
        <p class="notice" role="note">
          {client.notice}
        </p>
      )}
      <HelpDialog />
    </>
  );
}
