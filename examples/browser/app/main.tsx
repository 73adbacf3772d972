import './without-eval.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './page.css';
import { Login } from './login.tsx';
import { Orders } from './orders.tsx';
import { type Session, useSession } from './session.ts';

// A cache belongs to one login.
const caches = new WeakMap<Session, QueryClient>();
const cacheOf = (session: Session): QueryClient => {
  const cache = caches.get(session) ?? new QueryClient();
  caches.set(session, cache);
  return cache;
};
const beforeLogin = new QueryClient();

const App = () => {
  const session = useSession();
  return (
    <main>
      <header>
        <h1>Orders</h1>
        {session !== undefined && (
          <p>
            {session.username}{' '}
            <button type="button" className="link" onClick={() => void session.signOut()}>
              Sign out
            </button>
          </p>
        )}
      </header>
      <QueryClientProvider client={session === undefined ? beforeLogin : cacheOf(session)}>
        {session === undefined ? <Login /> : <Orders key={session.username} session={session} />}
      </QueryClientProvider>
    </main>
  );
};

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
