import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { toProblem } from './problem.ts';
import { logIn } from './session.ts';

export const Login = () => {
  const login = useMutation({
    mutationFn: (form: FormData) => logIn(String(form.get('username')), String(form.get('password'))),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    login.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="login" onSubmit={submit}>
      <label>
        Username <input name="username" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={login.isPending}>
        Log in
      </button>
      {login.error !== null && <p role="alert">{toProblem(login.error)}</p>}
    </form>
  );
};
