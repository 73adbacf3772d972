"""Django REST framework with page numbers, ordering and filters, over a database in memory: python3 django_books.py COUNT."""

import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings
from django.db import connection, models

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["django_filters", "rest_framework"],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_FILTER_BACKENDS": [
            "django_filters.rest_framework.DjangoFilterBackend",
            "rest_framework.filters.OrderingFilter",
        ],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
    ROOT_URLCONF=__name__,
    SECRET_KEY="not a secret",
    USE_TZ=True,
)
django.setup()

from django.urls import include, path  # noqa: E402
from rest_framework import pagination, routers, serializers, viewsets  # noqa: E402


class Book(models.Model):
    title = models.CharField(max_length=40)
    pages = models.PositiveIntegerField()
    genre = models.CharField(max_length=10)

    class Meta:
        app_label = "books"


class BookSerializer(serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = ["id", "title", "pages", "genre"]


class Pages(pagination.PageNumberPagination):
    page_size = 25
    page_size_query_param = "page_size"
    max_page_size = 100


class Books(viewsets.ModelViewSet):
    queryset = Book.objects.order_by("id")
    serializer_class = BookSerializer
    pagination_class = Pages
    filterset_fields = ["genre"]
    ordering_fields = ["title", "pages", "id"]


router = routers.DefaultRouter()
router.register("books", Books)
urlpatterns = [path("", include(router.urls))]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


with connection.schema_editor() as editor:
    editor.create_model(Book)
for number in range(1, int(sys.argv[1]) + 1):
    Book.objects.create(title=f"Book {number}", pages=number * 37 % 101, genre="odd" if number % 2 else "even")

from django.core.wsgi import get_wsgi_application  # noqa: E402

server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
