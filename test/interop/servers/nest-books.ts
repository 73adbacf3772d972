// NestJS with nestjs-paginate over a database in memory. Its decorators need a compiler: see start.ts.
import 'reflect-metadata';
import process from 'node:process';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  Put,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsNotEmpty, IsOptional, IsString, Min } from 'class-validator';
import { Paginate, paginate } from 'nestjs-paginate';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
class Book {
  @PrimaryGeneratedColumn()
  id;
  @Column('varchar')
  title;
  @Column('int')
  pages;
  @Column('varchar')
  genre;
}

class NewBook {
  @IsString()
  @IsNotEmpty()
  title;
  @IsInt()
  @Min(0)
  pages;
  @IsString()
  genre;
}

class BookPart {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  title;
  @IsOptional()
  @IsInt()
  @Min(0)
  pages;
  @IsOptional()
  @IsString()
  genre;
}

const source = await new DataSource({ type: 'sqljs', entities: [Book], synchronize: true }).initialize();
const books = source.getRepository(Book);
const toBook = (number) => ({
  title: `Book ${number}`,
  pages: (number * 37) % 101,
  genre: number % 2 === 1 ? 'odd' : 'even',
});
await books.insert(Array.from({ length: Number(process.argv.at(-1)) }, (_, index) => toBook(index + 1)));

const find = async (id) => {
  const book = await books.findOneBy({ id: Number(id) });
  if (book === null) throw new NotFoundException();
  return book;
};

const pipe = new ValidationPipe({ transform: true });
const part = new ValidationPipe({ transform: true, expectedType: BookPart });
const whole = new ValidationPipe({ transform: true, expectedType: NewBook });

@Controller('books')
class Books {
  @Get()
  list(@Paginate() query) {
    return paginate(query, books, {
      sortableColumns: ['id', 'title', 'pages'],
      defaultSortBy: [['id', 'ASC']],
      select: ['id', 'title', 'pages', 'genre'],
      filterableColumns: { genre: true },
      defaultLimit: 25,
      maxLimit: 100,
    });
  }

  @Get(':id')
  get(@Param('id') id) {
    return find(id);
  }

  @Post()
  create(@Body(whole) body) {
    return books.save(body);
  }

  @Put(':id')
  async replace(@Param('id') id, @Body(whole) body) {
    return books.save({ ...(await find(id)), ...body });
  }

  @Patch(':id')
  async update(@Param('id') id, @Body(part) body) {
    return books.save({ ...(await find(id)), ...body });
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(@Param('id') id) {
    await books.remove(await find(id));
  }
}

@Module({ controllers: [Books] })
class App {}

const app = await NestFactory.create(App, { logger: ['error'] });
app.useGlobalPipes(pipe);
await app.listen(0, '127.0.0.1');
console.log((await app.getUrl()).replace('[::1]', '127.0.0.1'));
